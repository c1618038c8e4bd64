import { Badge, Card, Group, SegmentedControl, Select, SimpleGrid, Skeleton, Stack, Text, Tooltip } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { lazy, Suspense } from 'react'
import { useCall } from '../../console-kit/calls.ts'
import { useSearchParams } from '../../console-kit/links.tsx'
import { useProgram } from '../../console-kit/session.tsx'
import { Empty, Loaded } from '../../console-kit/states.tsx'
import { dayIn, dayText } from '../../console-kit/times.ts'
import { callUrl } from '../../platform/call.ts'
import { type Comparison, comparisons } from './comparisons.ts'
import { exportReport, getReport, type Report } from './contract.ts'
import { FigureTable } from './FigureTable.tsx'
import { figureWords } from './figure-words.ts'
import { changeText, formatFigure, hiddenText, periodText, shortPeriodText } from './format-figure.ts'
import type { Figure, Period } from './names.ts'
import { Definitions, ReportFrame } from './ReportFrame.tsx'

const FigureChart = lazy(() => import('./FigureChart.tsx'))

const periodNames: readonly { value: Period; label: string }[] = [
  { value: 'day', label: 'Days' },
  { value: 'week', label: 'Weeks' },
  { value: 'month', label: 'Months' },
]

interface FiguresReportProps {
  title: string
  figures: readonly [Figure, ...Figure[]]
}

/** A report of figures by day, week or month: the last period in cards, one figure as a chart, and all as a table. */
export function FiguresReport({ title, figures }: FiguresReportProps) {
  const [search, setSearch] = useSearchParams()
  const by = periodNames.find(({ value }) => value === search.by)?.value ?? 'day'
  const compared = Object.hasOwn(comparisons, search.with ?? '') ? (search.with as Comparison) : 'before'
  const chosen = figures.find((figure) => figure === search.figure) ?? figures[0]
  const [from, to] = [dayIn(search.from), dayIn(search.to)]
  const days = { ...(from && { from }), ...(to && { to }) }
  const query = useCall(getReport, { query: { by, ...days } })
  const program = useProgram()
  return (
    <ReportFrame
      title={title}
      csv={callUrl(exportReport, { params: { program: program.code }, query: { by, ...days } })}
    >
      <Group gap="sm" align="flex-end" role="search" aria-label="What is shown">
        <SegmentedControl
          aria-label="By"
          data={[...periodNames]}
          value={by}
          onChange={(value) => setSearch({ by: value === 'day' ? undefined : value })}
        />
        <DatePickerInput
          type="range"
          label="Days"
          placeholder="The latest"
          valueFormat="MMM D, YYYY"
          value={[from ?? null, to ?? null]}
          onChange={([from, to]) => setSearch({ from: from ?? undefined, to: to ?? undefined })}
          clearable
          w={260}
        />
        <Select
          label="Compare with"
          data={Object.entries(comparisons).map(([value, label]) => ({ value, label }))}
          value={compared}
          onChange={(value) => setSearch({ with: value === 'before' ? undefined : (value ?? undefined) })}
          allowDeselect={false}
          w={190}
        />
      </Group>
      <Loaded query={query}>
        {(report) => (
          <Figures
            report={report}
            figures={figures}
            chosen={chosen}
            compared={compared}
            onChoose={(figure) => setSearch({ figure: figure === figures[0] ? undefined : figure })}
          />
        )}
      </Loaded>
      <Definitions
        view="program_reports"
        facts={figures.map((figure) => [figureWords[figure].name, figureWords[figure].definition])}
      />
    </ReportFrame>
  )
}

interface FiguresProps extends Pick<FiguresReportProps, 'figures'> {
  report: Report
  chosen: Figure
  compared: Comparison
  onChoose: (figure: Figure) => void
}

function Figures({ report, figures, chosen, compared, onChoose }: FiguresProps) {
  const { currency } = useProgram()
  const { by, rows, lastDay } = report
  const last = rows.at(-1)
  if (!last) {
    return (
      <Empty title={lastDay === null ? 'There are no figures yet' : 'No finished period in these days'}>
        {lastDay === null
          ? 'The first ones appear about an hour after the first day of the program has ended.'
          : `Choose earlier days; the last finished one is ${dayText(lastDay)}.`}
      </Empty>
    )
  }
  const { name } = figureWords[chosen]
  const otherName = compared === 'none' ? null : comparisons[compared]
  return (
    <Stack gap="md">
      <section aria-labelledby="last-period">
        <Text component="h2" fw={600} id="last-period" mb="xs">
          {periodText(by, last)}
        </Text>
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }}>
          {figures.map((figure) => (
            <FigureCard key={figure} figure={figure} row={last} compared={compared} />
          ))}
        </SimpleGrid>
      </section>
      <Card withBorder component="section" aria-labelledby="over-time">
        <Group justify="space-between" mb="sm">
          <Text component="h2" fw={600} id="over-time">
            {name} over time
          </Text>
          <Select
            aria-label="Figure of the chart"
            data={figures.map((figure) => ({ value: figure, label: figureWords[figure].name }))}
            value={chosen}
            onChange={(value) => value !== null && onChoose(value as Figure)}
            allowDeselect={false}
          />
        </Group>
        <Suspense fallback={<Skeleton h={280} />}>
          <FigureChart
            name={name}
            otherName={otherName}
            format={(value) => formatFigure(chosen, value, currency)}
            label={`${name}, ${periodText(by, rows[0] ?? last)} to ${periodText(by, last)}. The table has the same figures.`}
            points={rows.map(({ from, figures: values }) => ({
              label: shortPeriodText(by, from),
              now: values[chosen].now,
              other: compared === 'none' ? null : values[chosen][compared],
            }))}
          />
        </Suspense>
      </Card>
      <FigureTable report={report} figures={figures} compared={compared} />
    </Stack>
  )
}

interface FigureCardProps {
  figure: Figure
  row: Report['rows'][number]
  compared: Comparison
}

function FigureCard({ figure, row, compared }: FigureCardProps) {
  const { currency } = useProgram()
  const { name, definition } = figureWords[figure]
  const values = row.figures[figure]
  const change = compared === 'none' ? null : changeText(values.now, values[compared])
  return (
    <Card withBorder>
      <Tooltip label={definition} multiline w={260} events={{ hover: true, focus: true, touch: true }}>
        <Text size="sm" c="dimmed" tabIndex={0} td="underline dotted">
          {name}
        </Text>
      </Tooltip>
      <Text size="lg" fw={700}>
        {values.now === null ? hiddenText : formatFigure(figure, values.now, currency)}
      </Text>
      {compared !== 'none' && (
        <Badge color="gray" mt={4}>
          {change === null ? 'nothing to compare' : change}
        </Badge>
      )}
    </Card>
  )
}
