import { Alert, Table, Text } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useCall } from '../../../console-kit/calls.ts'
import { useAddress, useSearchParams } from '../../../console-kit/links.tsx'
import { Page } from '../../../console-kit/Page.tsx'
import { Empty, Loaded } from '../../../console-kit/states.tsx'
import { dayIn, dayText, thisDay } from '../../../console-kit/times.ts'
import { getTrialBalance, type TrialBalance } from './contract.ts'
import { accountNames, unitNames } from './journal-names.ts'

/** The balance of every account at the beginning and the end of a day. */
export default function TrialBalancePage() {
  const address = useAddress()
  const [search, setSearch] = useSearchParams()
  const day = dayIn(search.day) ?? thisDay()
  const query = useCall(getTrialBalance, { query: { day } })
  return (
    <Page title="Trial balance" trail={[{ label: 'Journal', to: address('journal') }]}>
      <DatePickerInput
        label="Day (UTC)"
        valueFormat="MMM D, YYYY"
        value={day}
        onChange={(chosen) => setSearch({ day: chosen ?? undefined })}
        maxDate={thisDay()}
        w={220}
      />
      <Loaded query={query}>{(shown) => <Balances shown={shown} />}</Loaded>
    </Page>
  )
}

function Balances({ shown: { day, lines, sums } }: { shown: TrialBalance }) {
  if (lines.length === 0)
    return <Empty title={`Nothing was posted up to ${dayText(day)}`}>Choose a later day above.</Empty>
  return (
    <>
      {sums.every(({ isZero }) => isZero) ? (
        <Text role="status">All accounts sum to zero.</Text>
      ) : (
        <Alert color="red" role="alert" title="The accounts do not sum to zero">
          Stop payouts and settlement, keep the database as it is, and compare it with a backup.
        </Alert>
      )}
      {sums.map(({ unit, before, after }) => (
        <Table.ScrollContainer key={unit} minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table captionSide="top" aria-label={unitNames[unit]}>
            <Table.Caption>{unitNames[unit]}</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Account</Table.Th>
                {['Before the day', 'Taken', 'Added', 'After the day'].map((name) => (
                  <Table.Th key={name} scope="col" ta="right">
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lines
                .filter((line) => line.unit === unit)
                .map((line) => (
                  <Table.Tr key={line.account}>
                    <Table.Th scope="row" fw={400}>
                      {accountNames[line.account]}
                    </Table.Th>
                    <Table.Td ta="right">{line.before}</Table.Td>
                    <Table.Td ta="right">{line.taken}</Table.Td>
                    <Table.Td ta="right">{line.added}</Table.Td>
                    <Table.Td ta="right">{line.after}</Table.Td>
                  </Table.Tr>
                ))}
            </Table.Tbody>
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th scope="row">Sum</Table.Th>
                <Table.Th ta="right">{before}</Table.Th>
                <Table.Td />
                <Table.Td />
                <Table.Th ta="right">{after}</Table.Th>
              </Table.Tr>
            </Table.Tfoot>
          </Table>
        </Table.ScrollContainer>
      ))}
    </>
  )
}
