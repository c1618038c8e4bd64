import { useCall } from '../../console-kit/calls.ts'
import { Money } from '../../console-kit/format.tsx'
import { type Column, type Filter, ListPage } from '../../console-kit/ListPage.tsx'
import { useSearchParams } from '../../console-kit/links.tsx'
import { useProgram } from '../../console-kit/session.tsx'
import { formatCount } from '../../platform/money.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { exportOrigins, listOrigins, listReportMonths, type Origin } from './contract.ts'
import { periodText } from './format-figure.ts'
import { Definitions, ReportNavigation } from './ReportFrame.tsx'

const causes: Filter = {
  kind: 'choice',
  name: 'of',
  label: 'Rewards for',
  options: [
    { value: 'restaurants', label: 'Dines at restaurants' },
    { value: 'bonuses', label: 'Bonuses and credits' },
  ],
}

/** Where the dines and rewards of a month come from: restaurants by spend, bonuses and credits by cost. */
export default function OriginsPage() {
  const { currency } = useProgram()
  const [search] = useSearchParams()
  const { data: months = [] } = useCall(listReportMonths, {})
  const isOfBonuses = search.of === 'bonuses'
  const ofMonth: Filter = {
    kind: 'choice',
    name: 'month',
    label: 'Month',
    options: months.map((month) => ({ value: month, label: periodText('month', { from: month, to: month }) })),
  }
  const columns: Column<Origin>[] = [
    { id: 'name', header: isOfBonuses ? 'Bonus' : 'Restaurant', cell: ({ name }) => name },
    {
      id: 'members',
      header: 'Members',
      cell: ({ members }) => `${formatCount(members)}+`,
      align: 'right',
    },
    { id: 'dines', header: 'Dines', cell: ({ dines }) => formatCount(dines), align: 'right' },
    { id: 'spend', header: 'Spend', cell: ({ spendCents }) => <Money cents={spendCents} />, align: 'right' },
    { id: 'rewards', header: 'Rewards', cell: ({ rewards }) => formatReward(currency, rewards), align: 'right' },
  ]
  return (
    <>
      <ListPage
        title="Restaurants and bonuses"
        call={listOrigins}
        csv={exportOrigins}
        columns={isOfBonuses ? columns.filter(({ id }) => id !== 'dines' && id !== 'spend') : columns}
        filters={months.length === 0 ? [causes] : [causes, ofMonth]}
        keyOf={({ id }) => String(id)}
        empty={{
          title: 'Nothing to show',
          text: 'There is no finished month yet, or fewer than ten members have a part in it.',
        }}
      >
        <ReportNavigation />
      </ListPage>
      <Definitions
        view="program_origins"
        facts={[
          ['Members', 'Members with a part in it, in whole tens.'],
          ['Dines', 'Cleared payments at the restaurant that became known in the month.'],
          ['Spend', 'Their amounts, less refunds.'],
          ['Rewards', 'What the ledger posted to members for it, less what was taken back.'],
          [
            'All others together',
            'What fewer than ten members have a part in, joined with as much as is needed to be about ten. It is one row for restaurants and bonuses.',
          ],
        ]}
      />
    </>
  )
}
