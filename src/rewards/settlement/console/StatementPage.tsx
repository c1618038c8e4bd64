import { Button, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useCall } from '../../../console-kit/calls.ts'
import { DetailPage } from '../../../console-kit/DetailPage.tsx'
import { Facts } from '../../../console-kit/Facts.tsx'
import { Money } from '../../../console-kit/format.tsx'
import { useAddress, useSearchParams } from '../../../console-kit/links.tsx'
import { MonthField } from '../../../console-kit/MonthField.tsx'
import { RelatedTable } from '../../../console-kit/Related.tsx'
import { useProgram } from '../../../console-kit/session.tsx'
import { Loaded } from '../../../console-kit/states.tsx'
import { monthIn, thisMonth } from '../../../console-kit/times.ts'
import { callUrl } from '../../../platform/call.ts'
import { formatCount } from '../../../platform/money.ts'
import { JournalLink } from '../../ledger/console/EntryLink.tsx'
import { getStatement, getStatementFile, type StatementDetail } from './contract.ts'
import { nameOfMonth } from './month-name.ts'

/** The statement of a restaurant for a month. */
export default function StatementPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const [search] = useSearchParams()
  const month = monthIn(search.month) ?? thisMonth()
  const query = useCall(getStatement, { params: { merchant: id }, query: { month } })
  return <Loaded query={query}>{(statement) => <Statement statement={statement} />}</Loaded>
}

function Statement({ statement }: { statement: StatementDetail }) {
  const address = useAddress()
  const { code } = useProgram()
  const [, setSearch] = useSearchParams()
  const { merchantId, merchantName, month, lines, lineCount, timeZone } = statement
  const timeOf = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone })
  return (
    <DetailPage
      title={`${merchantName}, ${nameOfMonth(month)}`}
      trail={[{ label: 'Settlement', to: address(`settlement?month=${month}`) }]}
      facts={<StatementFacts statement={statement} />}
      actions={(['pdf', 'csv'] as const).map((format) => (
        <Button
          key={format}
          component="a"
          variant="default"
          leftSection={<Download size={16} />}
          href={callUrl(getStatementFile, {
            params: { program: code, merchant: merchantId },
            query: { month, format },
          })}
          download
        >
          {format.toUpperCase()}
        </Button>
      ))}
    >
      <MonthField label="Month" value={month} onChange={(chosen) => setSearch({ month: chosen })} />
      <Text size="sm" c="dimmed">
        For the restaurant: its rewarded transactions in the programs that you work on, by its own date, and what they
        cost by the journal. It names no member. The list of settlement is by the date (UTC) of the journal entry.
      </Text>
      <RelatedTable
        title={`Transactions of ${nameOfMonth(month)}`}
        items={lines.map((line, index) => ({ ...line, key: `${index}` }))}
        keyOf={({ key }) => key}
        empty="No rewarded transaction."
        columns={[
          { header: 'When (there)', cell: ({ dinedAt }) => timeOf.format(new Date(dinedAt)) },
          { header: 'Program', cell: ({ program }) => program },
          { header: 'Bill', align: 'right', cell: ({ billCents }) => <Money cents={billCents} /> },
          { header: 'Refunded', align: 'right', cell: ({ refundedCents }) => <Money cents={refundedCents} /> },
          { header: 'Rewarded part', align: 'right', cell: ({ countedCents }) => <Money cents={countedCents} /> },
          { header: 'Reward', align: 'right', cell: ({ reward }) => reward },
          { header: 'First visit', cell: ({ isFirstVisit }) => (isFirstVisit ? 'Yes' : '') },
          { header: 'Cost', align: 'right', cell: ({ costCents }) => <Money cents={costCents} /> },
        ]}
      />
      {lineCount > lines.length && (
        <Text size="sm" c="dimmed">
          The first {formatCount(lines.length)} of {formatCount(lineCount)}; the files have all of them.
        </Text>
      )}
    </DetailPage>
  )
}

function StatementFacts({ statement }: { statement: StatementDetail }) {
  const { transactions, firstVisits, billCents, refundedCents, costCents, returnCents, city, state } = statement
  return (
    <Facts
      title="Facts"
      facts={[
        ['Cost', <Money key="cost" cents={costCents} />],
        ['Rewarded transactions', formatCount(transactions)],
        ['First visits', formatCount(firstVisits)],
        ['Bills', <Money key="bills" cents={billCents} />],
        ['Refunded', <Money key="refunded" cents={refundedCents} />],
        ['Spent for each dollar of cost', returnCents !== null && <Money key="return" cents={returnCents} />],
        ['Where', [city, state].filter((part) => part !== '').join(', ')],
        ['Id', statement.merchantId],
        ['Journal', <JournalLink key="journal" query={`restaurant=${statement.merchantId}`} />],
      ]}
    />
  )
}
