/** What a spreadsheet takes for the beginning of a formula, in full width too. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/** A formula behind what some spreadsheet takes for the end of a cell, which quotes of another separator do not prevent. */
const innerFormula = /([;|\t\r\n]\s*)(?=[=+\-@＝＋－＠])/g
/** What ends a cell somewhere: spreadsheets take semicolons, tabs and bars for commas, by country and by guess. */
const needsQuotes = /[",;|\t\r\n]|^\s|\s$/

/** A cell of RFC 4180. What a spreadsheet would take for a formula is shown as the text it is; numbers stay numbers. */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = value.replace(innerFormula, "$1'")
  const harmless = formula.test(text) ? `'${text}` : text
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}
