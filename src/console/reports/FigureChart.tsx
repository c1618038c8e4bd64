import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'

export interface ChartPoint {
  label: string
  now: number | null
  other: number | null
}

interface FigureChartProps {
  points: readonly ChartPoint[]
  name: string
  /** Name of the second line; null without one. */
  otherName: string | null
  format: (value: number) => string
  /** What the chart shows, for who does not see it. */
  label: string
}

/** A figure over time. The table below it has the same numbers. */
export default function FigureChart({ points, name, otherName, format, label }: FigureChartProps) {
  return (
    <LineChart
      role="img"
      aria-label={label}
      h={280}
      data={points.map((point) => ({ ...point }))}
      dataKey="label"
      series={[
        { name: 'now', label: name, color: 'indigo.6' },
        ...(otherName === null ? [] : [{ name: 'other', label: otherName, color: 'gray.6', strokeDasharray: '5 5' }]),
      ]}
      valueFormatter={format}
      connectNulls={false}
      curveType="linear"
      withLegend={otherName !== null}
      yAxisProps={{ width: 90 }}
      // The page would move while it is read.
      lineProps={{ isAnimationActive: false }}
      // The table is the way for the keyboard.
      lineChartProps={{ accessibilityLayer: false }}
    />
  )
}
