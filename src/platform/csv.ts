/** Characters that make a spreadsheet read a cell as a formula, including their full-width forms. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/** A formula after a character that some spreadsheets treat as a separator; quoting does not prevent it there. */
const innerFormula = /([;|\t\r\n]\s*)(?=[=+\-@＝＋－＠])/g
/** Characters that require quotes: spreadsheets also split at semicolons, tabs and bars, depending on the locale. */
const needsQuotes = /[",;|\t\r\n]|^\s|\s$/

/** Returns a cell according to RFC 4180. Formulas are escaped with an apostrophe; numbers stay numbers. */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = value.replace(innerFormula, "$1'")
  const harmless = formula.test(text) ? `'${text}` : text
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}
