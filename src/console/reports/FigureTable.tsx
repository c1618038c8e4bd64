import { Card, Table, Text } from '@mantine/core'
import { useProgram } from '../../console-kit/session.tsx'
import type { Comparison } from './comparisons.ts'
import type { Report } from './contract.ts'
import { figureWords } from './figure-words.ts'
import { changeText, formatFigure, hiddenText, periodText } from './format-figure.ts'
import type { Figure } from './names.ts'

interface FigureTableProps {
  report: Report
  figures: readonly Figure[]
  compared: Comparison
}

/** All figures of all periods, the latest first. */
export function FigureTable({ report: { by, rows }, figures, compared }: FigureTableProps) {
  const { currency } = useProgram()
  return (
    <Card withBorder component="section" aria-label="All periods">
      <Table.ScrollContainer minWidth={130 * (figures.length + 1)} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label="All periods" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{by === 'day' ? 'Day' : by === 'week' ? 'Week' : 'Month'}</Table.Th>
              {figures.map((figure) => (
                <Table.Th key={figure} scope="col" ta="right">
                  {figureWords[figure].name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.toReversed().map((row) => (
              <Table.Tr key={row.from}>
                <Table.Th scope="row" fw={400} style={{ whiteSpace: 'nowrap' }}>
                  {periodText(by, row)}
                </Table.Th>
                {figures.map((figure) => {
                  const values = row.figures[figure]
                  const change = compared === 'none' ? null : changeText(values.now, values[compared])
                  return (
                    <Table.Td key={figure} ta="right" style={{ fontVariantNumeric: 'tabular-nums' }}>
                      {values.now === null ? (
                        <Text size="sm" c="dimmed">
                          {hiddenText}
                        </Text>
                      ) : (
                        formatFigure(figure, values.now, currency)
                      )}
                      {change !== null && (
                        <Text size="xs" c="dimmed">
                          {change}
                        </Text>
                      )}
                    </Table.Td>
                  )
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  )
}
