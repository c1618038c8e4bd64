import { FiguresReport } from './FiguresReport.tsx'

/** How many people take each step in a period. They need not be the same people. */
export default function FunnelPage() {
  return (
    <FiguresReport
      title="From visit to fifth dine"
      figures={['views', 'joined', 'firstCards', 'firstDines', 'fifthDines']}
    />
  )
}
