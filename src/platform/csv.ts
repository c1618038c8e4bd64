import { stringify } from 'csv-stringify/sync'

/** Characters that make a spreadsheet read a cell as a formula, including their full-width forms. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/** A negative amount of money is text of two decimals in our rows, and a number in a spreadsheet. */
const negativeMoney = /^-\d+\.\d\d$/
/**
 * What some spreadsheets treat as a separator, with the spaces behind it: a formula may follow, which quoting does not
 * prevent. It takes all spaces at once, so that a long run of them is read once.
 */
const separators = /[;|\t\r\n]\s*/g
const formulaSigns = '=+-@＝＋－＠'
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
  const escaped = text.replace(separators, (found, at: number) => {
    const next = text[at + found.length]
    return next !== undefined && formulaSigns.includes(next) ? `${found}'` : found
  })
  return formula.test(escaped) ? `'${escaped}` : escaped
}
