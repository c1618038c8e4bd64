import { Accordion, Alert, Anchor, Card, SimpleGrid, Table, Text } from '@mantine/core'
import { useCall } from '../../../console-kit/calls.ts'
import { Day, Money, Time } from '../../../console-kit/format.tsx'
import { useProgram } from '../../../console-kit/session.tsx'
import { Loaded } from '../../../console-kit/states.tsx'
import { callUrl } from '../../../platform/call.ts'
import { formatCents } from '../../../platform/money.ts'
import { getSettlementFile, getSettlementMonth, type SettlementMonth } from './contract.ts'
import { nameOfMonth } from './month-name.ts'

/** The totals of a month, and the month by day. */
export function MonthSummary({ month }: { month: string }) {
  const query = useCall(getSettlementMonth, { query: { month } })
  return <Loaded query={query}>{(shown) => <Summary shown={shown} />}</Loaded>
}

function Summary({ shown }: { shown: SettlementMonth }) {
  const { month, settles, totals, days, isOver, closed } = shown
  const figures: [string, string][] = [
    ['Restaurants owe', formatCents(totals.owesCents)],
    ['Partner is owed', formatCents(totals.partnerCents)],
    ['Platform share', formatCents(totals.platformCents)],
    ['Rewards given', totals.rewardsGiven],
    ['Rewards taken back', totals.rewardsTakenBack],
    ['Statement credits', formatCents(totals.creditsCents)],
  ]
  return (
    <>
      {!settles && (
        <Alert color="gray" title="This program does not settle money with restaurants">
          Its configuration has no <code>settlement</code>. Rewards are still listed.
        </Alert>
      )}
      <section aria-label={`Totals of ${nameOfMonth(month)}`}>
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
          {figures.map(([name, value]) => (
            <Card key={name} withBorder padding="sm">
              <Text size="sm" c="dimmed">
                {name}
              </Text>
              <Text fw={700} style={{ fontVariantNumeric: 'tabular-nums' }}>
                {value}
              </Text>
            </Card>
          ))}
        </SimpleGrid>
      </section>
      <Text size="sm" c="dimmed">
        {closed && (
          <>
            Closed by {closed.by} on <Time at={closed.at} />.{' '}
          </>
        )}
        {isOver
          ? 'Days are in UTC, by the journal. A day that is over never changes: corrections and refunds are posted on the day on which they come.'
          : 'Days are in UTC, by the journal. This month is not over: its figures still change.'}
      </Text>
      {days.length > 0 && <Days days={days} />}
    </>
  )
}

function Days({ days }: Pick<SettlementMonth, 'days'>) {
  const { code } = useProgram()
  return (
    <Accordion variant="contained">
      <Accordion.Item value="days">
        <Accordion.Control>Day by day</Accordion.Control>
        <Accordion.Panel>
          <Table.ScrollContainer minWidth={720} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table aria-label="Day by day">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">Day</Table.Th>
                  {[
                    'Rewards given',
                    'Taken back',
                    'Restaurants owe',
                    'Partner is owed',
                    'Platform share',
                    'Statement credits',
                  ].map((name) => (
                    <Table.Th key={name} scope="col" ta="right">
                      {name}
                    </Table.Th>
                  ))}
                  <Table.Th scope="col">File</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {days.map(({ day, isFinal, ...sums }) => (
                  <Table.Tr key={day}>
                    <Table.Th scope="row" fw={400}>
                      <Day of={day} />
                    </Table.Th>
                    <Table.Td ta="right">{sums.rewardsGiven}</Table.Td>
                    <Table.Td ta="right">{sums.rewardsTakenBack}</Table.Td>
                    {[sums.owesCents, sums.partnerCents, sums.platformCents, sums.creditsCents].map((cents, index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change
                      <Table.Td key={index} ta="right">
                        <Money cents={cents} />
                      </Table.Td>
                    ))}
                    <Table.Td>
                      {isFinal ? (
                        <Anchor
                          size="sm"
                          download
                          href={callUrl(getSettlementFile, { params: { program: code, day } })}
                          aria-label={`File of ${day}`}
                        >
                          CSV
                        </Anchor>
                      ) : (
                        <Text size="sm" c="dimmed">
                          In progress
                        </Text>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
