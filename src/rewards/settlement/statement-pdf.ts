import { buffer } from 'node:stream/consumers'
import type Pdf from 'pdfkit'
import { formatCents, formatCount } from '../../platform/money.ts'
import type { ProgramTransaction, RestaurantStatement } from './statement.ts'

const margin = 54
/** Points; US letter is 612 wide. */
const columns = [
  { title: 'Date', width: 92, align: 'left' },
  { title: 'Program', width: 138, align: 'left' },
  { title: 'Bill', width: 66, align: 'right' },
  { title: 'Refunded', width: 62, align: 'right' },
  { title: 'Reward given', width: 88, align: 'right' },
  { title: 'Cost', width: 58, align: 'right' },
] as const
const rowHeight = 18
const ink = '#1c1917'
const mutedInk = '#57534e'
const line = '#d6d3d1'

/** Returns the statement as a US letter PDF. The same statement gives the same bytes. */
export async function statementPdf(statement: RestaurantStatement): Promise<Buffer> {
  // Loaded for the first statement: most processes never make one.
  const { default: Document } = await import('pdfkit')
  const made = new Date(`${statement.month}-01T00:00:00Z`)
  const pdf = new Document({
    size: 'LETTER',
    margin,
    lang: 'en-US',
    displayTitle: true,
    info: { Title: `${statement.merchant.name}, ${monthText(statement.month)}`, CreationDate: made, ModDate: made },
  })
  const bytes = buffer(pdf)
  drawHead(pdf, statement)
  drawTotals(pdf, statement)
  drawTransactions(pdf, statement)
  pdf.end()
  return bytes
}

type Page = InstanceType<typeof Pdf>

function drawHead(pdf: Page, { merchant, month }: RestaurantStatement): void {
  pdf.font('Helvetica-Bold').fontSize(20).fillColor(ink).text(toPrintable(merchant.name))
  pdf.font('Helvetica').fontSize(11).fillColor(mutedInk)
  pdf.text(toPrintable(`${merchant.city}, ${merchant.state}`)).moveDown(0.5)
  pdf
    .fillColor(ink)
    .text(`Dining rewards, ${monthText(month)}`)
    .moveDown()
}

function drawTotals(pdf: Page, { totals }: RestaurantStatement): void {
  const { transactions, firstVisits, billCents, refundedCents, costCents, returnCents } = totals
  const lines: [string, string][] = [
    ['Rewarded transactions', formatCount(transactions)],
    ['Of diners who came for the first time', formatCount(firstVisits)],
    ['Spent and kept', formatCents(billCents - refundedCents)],
    ['What it cost', formatCents(costCents)],
    ['Spent for each dollar of cost', returnCents === null ? 'nothing was charged' : formatCents(returnCents)],
  ]
  for (const [name, value] of lines) {
    const { y } = pdf
    pdf.fontSize(11).fillColor(mutedInk).text(name, margin, y, { width: 260 })
    pdf.fillColor(ink).text(toPrintable(value), margin + 270, y, { width: 140, align: 'right' })
  }
  pdf.moveDown(1.5)
}

function drawTransactions(pdf: Page, { transactions, merchant, totals }: RestaurantStatement): void {
  if (transactions.length === 0) {
    pdf.fontSize(11).fillColor(ink).text('No transaction was rewarded in this month.', margin)
    return
  }
  drawRow(
    pdf,
    columns.map(({ title }) => title),
    { bold: true },
  )
  for (const transaction of transactions) {
    if (pdf.y + rowHeight > pdf.page.height - margin) {
      pdf.addPage()
      drawRow(
        pdf,
        columns.map(({ title }) => title),
        { bold: true },
      )
    }
    drawRow(pdf, cellsOf(transaction, merchant.timeZone))
  }
  const sums = [
    'Total',
    '',
    formatCents(totals.billCents),
    formatCents(totals.refundedCents),
    '',
    formatCents(totals.costCents),
  ]
  drawRow(pdf, sums, { bold: true })
}

function cellsOf(transaction: ProgramTransaction, timeZone: string): string[] {
  return [
    transaction.dinedAt.toLocaleString('en-US', { timeZone, dateStyle: 'medium' }),
    transaction.program,
    formatCents(transaction.billCents),
    transaction.refundedCents > 0 ? formatCents(transaction.refundedCents) : '',
    transaction.rewardText,
    formatCents(transaction.costCents),
  ]
}

function drawRow(pdf: Page, cells: readonly string[], { bold = false } = {}): void {
  const { y } = pdf
  let x = margin
  pdf
    .font(bold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(9)
    .fillColor(ink)
  for (const [index, { width, align }] of columns.entries()) {
    pdf.text(toPrintable(cells[index] ?? ''), x, y + 4, {
      width: width - 6,
      height: rowHeight - 6,
      ellipsis: true,
      align,
    })
    x += width
  }
  pdf
    .moveTo(margin, y + rowHeight)
    .lineTo(x - 6, y + rowHeight)
    .lineWidth(0.5)
    .strokeColor(line)
    .stroke()
  pdf.x = margin
  pdf.y = y + rowHeight
}

/** The characters of the PDF's fonts, Windows-1252. */
const printable = /[\u0020-\u007e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/u

/** Returns text in characters that the fonts have: without unknown diacritics, and with `?` for the rest. */
export function toPrintable(text: string): string {
  // The fonts have no minus sign.
  return [...text.replaceAll('−', '-').normalize('NFC')]
    .map((character) => [character, ...character.normalize('NFD')].find((each) => printable.test(each)) ?? '?')
    .join('')
}

function monthText(month: string): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  })
}
