import { Anchor, Group } from '@mantine/core'
import { Money } from '../../../console-kit/format.tsx'
import { type Column, ListPage } from '../../../console-kit/ListPage.tsx'
import { Link, useAddress, useSearchParams } from '../../../console-kit/links.tsx'
import { useProgram } from '../../../console-kit/session.tsx'
import { monthIn, thisMonth } from '../../../console-kit/times.ts'
import { callUrl } from '../../../platform/call.ts'
import { CloseMonth } from './CloseMonth.tsx'
import { exportSettlement, getStatementFile, listSettlement, type SettledRestaurant } from './contract.ts'
import { MonthSummary } from './MonthSummary.tsx'

/** What the lines say that name no restaurant. */
const withoutRestaurant: Record<SettledRestaurant['kind'], string> = {
  // Of a transaction whose restaurant is unknown.
  transactions: 'No restaurant',
  bonuses: 'No restaurant: bonuses',
  adjustments: 'No restaurant: credits and debits by operators',
}

/** What restaurants owe for a month, with the month by day above. */
export default function SettlementPage() {
  const address = useAddress()
  const { code } = useProgram()
  const [search] = useSearchParams()
  const month = monthIn(search.month) ?? thisMonth()
  const statementAddress = (merchantId: string) => address(`settlement/${merchantId}?month=${month}`)
  const columns: Column<SettledRestaurant>[] = [
    {
      id: 'restaurant',
      header: 'Restaurant',
      cell: ({ kind, merchantId, merchantName }) =>
        merchantId === null ? (
          withoutRestaurant[kind]
        ) : (
          <Anchor component={Link} size="sm" to={statementAddress(merchantId)}>
            {merchantName}
          </Anchor>
        ),
    },
    { id: 'given', header: 'Rewards given', align: 'right', cell: ({ rewardsGiven }) => rewardsGiven },
    { id: 'takenBack', header: 'Rewards taken back', align: 'right', cell: ({ rewardsTakenBack }) => rewardsTakenBack },
    { id: 'owes', header: 'Owes', align: 'right', cell: ({ owesCents }) => <Money cents={owesCents} /> },
    {
      id: 'partner',
      header: 'Partner is owed',
      align: 'right',
      cell: ({ partnerCents }) => <Money cents={partnerCents} />,
    },
    {
      id: 'platform',
      header: 'Platform share',
      align: 'right',
      cell: ({ platformCents }) => <Money cents={platformCents} />,
    },
    {
      id: 'entries',
      header: 'Journal entries',
      align: 'right',
      isOptional: true,
      cell: ({ given, takenBack }) => given + takenBack,
    },
    {
      id: 'files',
      header: 'Statement',
      cell: ({ merchantId, merchantName }) =>
        merchantId !== null && (
          <Group gap="xs" wrap="nowrap">
            {(['pdf', 'csv'] as const).map((format) => (
              <Anchor
                key={format}
                size="sm"
                download
                href={callUrl(getStatementFile, {
                  params: { program: code, merchant: merchantId },
                  query: { month, format },
                })}
                aria-label={`Statement of ${merchantName} as ${format.toUpperCase()}`}
              >
                {format.toUpperCase()}
              </Anchor>
            ))}
          </Group>
        ),
    },
  ]
  return (
    <ListPage
      title="Settlement"
      call={listSettlement}
      csv={exportSettlement}
      columns={columns}
      keyOf={({ key }) => key}
      addressOf={({ merchantId }) => (merchantId === null ? null : statementAddress(merchantId))}
      filters={[
        { kind: 'month', name: 'month', label: 'Month (UTC)' },
        { kind: 'text', name: 'q', label: 'Restaurant' },
      ]}
      actions={<CloseMonth month={month} />}
      empty={{ title: 'Nothing was posted in this month', text: 'Choose another month above.' }}
    >
      <MonthSummary month={month} />
    </ListPage>
  )
}
