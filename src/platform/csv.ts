import { stringify } from 'csv-stringify/sync'

/** Characters that make a spreadsheet read a cell as a formula, including their full-width forms. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/** A negative amount of money is text of two decimals in our rows, and a number in a spreadsheet. */
const negativeMoney = /^-\d+\.\d\d$/
/** A formula after a character that some spreadsheets treat as a separator; quoting does not prevent it there. */
const innerFormula = /([;|\t\r\n]\s*)(?=[=+\-@＝＋－＠])/g
/** Cells to quote besides those of RFC 4180: spreadsheets also split at semicolons, tabs and bars. */
const needsQuotes = /[;|\t\r\n]|^\s|\s$/

type Rows = Iterable<readonly (string | number)[]>

/**
 * Returns a file of CSV. It begins with a byte order mark, without which spreadsheets read UTF-8 as the encoding of the
 * computer, and show O’Café with wrong letters.
 */
export const toCsvFile = (rows: Rows): string => toCsv(rows, true)

/** Returns further rows of a file as CSV. */
export const toCsvRows = (rows: Rows): string => toCsv(rows, false)

// According to RFC 4180. Formulas are escaped with an apostrophe; numbers and amounts of money stay numbers.
function toCsv(rows: Rows, bom: boolean): string {
  return stringify([...rows], {
    bom,
    record_delimiter: 'windows',
    quoted_match: needsQuotes,
    // Instead of the option escape_formulas, which escapes negative numbers too and no formula inside a cell.
    cast: { string: escapeFormulas, number: String },
  })
}

function escapeFormulas(text: string): string {
  if (negativeMoney.test(text)) return text
  const escaped = text.replace(innerFormula, "$1'")
  return formula.test(escaped) ? `'${escaped}` : escaped
}
