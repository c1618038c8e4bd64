import { FiguresReport } from './FiguresReport.tsx'

/** Members, their cards and what they dine. */
export default function OverviewPage() {
  return (
    <FiguresReport
      title="Reports"
      figures={['dines', 'spend', 'diners', 'rewards', 'members', 'joined', 'cards', 'linked', 'left', 'removed']}
    />
  )
}
