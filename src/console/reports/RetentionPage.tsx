import { Card, Table, Text } from '@mantine/core'
import { useCall } from '../../console-kit/calls.ts'
import { useProgram } from '../../console-kit/session.tsx'
import { Empty, Loaded } from '../../console-kit/states.tsx'
import { callUrl } from '../../platform/call.ts'
import { formatCount } from '../../platform/money.ts'
import { exportRetention, getRetention } from './contract.ts'
import { hiddenText, shortPeriodText } from './format-figure.ts'
import { Definitions, ReportFrame } from './ReportFrame.tsx'

/** How many of the members who began to dine in a month come back in later ones. */
export default function RetentionPage() {
  const query = useCall(getRetention, {})
  const program = useProgram()
  return (
    <ReportFrame title="Retention" csv={callUrl(exportRetention, { params: { program: program.code } })}>
      <Loaded query={query}>
        {({ cohorts }) =>
          cohorts.length === 0 ? (
            <Empty title="There are no cohorts yet">The first one appears when a month with dines is over.</Empty>
          ) : (
            <Card withBorder component="section" aria-label="Cohorts">
              <Table.ScrollContainer
                minWidth={200 + 90 * (cohorts[0]?.members.length ?? 0)}
                scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
              >
                <Table aria-label="Cohorts">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th scope="col">First dine</Table.Th>
                      <Table.Th scope="col" ta="right">
                        Members
                      </Table.Th>
                      {cohorts[0]?.members.slice(1).map((_, index) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: the months after the first one
                        <Table.Th key={index} scope="col" ta="right">
                          {index === 0 ? '1 month later' : `${index + 1} months later`}
                        </Table.Th>
                      ))}
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {cohorts.map(({ cohort, members: [size = null, ...later] }) => (
                      <Table.Tr key={cohort}>
                        <Table.Th scope="row" fw={400} style={{ whiteSpace: 'nowrap' }}>
                          {shortPeriodText('month', cohort)}
                        </Table.Th>
                        <Table.Td ta="right">
                          <People count={size} />
                        </Table.Td>
                        {later.map((count, index) => (
                          // biome-ignore lint/suspicious/noArrayIndexKey: the months after the first one
                          <Table.Td key={index} ta="right">
                            <People count={count} of={size} />
                          </Table.Td>
                        ))}
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            </Card>
          )
        }
      </Loaded>
      <Definitions
        view="program_retention"
        facts={[
          ['Members', 'Members whose first dine became known in the month, in whole tens.'],
          ['Later months', 'Those of them with a dine in that month, in whole tens, and their share.'],
        ]}
      />
    </ReportFrame>
  )
}

function People({ count, of = null }: { count: number | null; of?: number | null }) {
  if (count === null) {
    return (
      <Text size="sm" c="dimmed">
        {hiddenText}
      </Text>
    )
  }
  return (
    <>
      {count === 0 ? '0' : `${formatCount(count)}+`}
      {of !== null && of > 0 && (
        <Text size="xs" c="dimmed">
          about {Math.round((100 * count) / of)}%
        </Text>
      )}
    </>
  )
}
