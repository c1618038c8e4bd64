import { FiguresReport } from './FiguresReport.tsx'

/** What was earned and is not yet paid, and what remains of what restaurants pay. */
export default function MoneyPage() {
  return (
    <FiguresReport
      title="Money"
      figures={['liability', 'rewards', 'payouts', 'fees', 'partnerShare', 'margin', 'spend']}
    />
  )
}
