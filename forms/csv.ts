import type { FormDefinition } from '../src/surveys/form-definition.ts'
import type { Response } from './store.ts'

/** A cell of RFC 4180. What a spreadsheet would take for a formula is shown as the text it is. */
export function cell(value: string): string {
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const line = (cells: string[]) => `${cells.map(cell).join(',')}\r\n`
const trackingColumns = ['utm_campaign', 'utm_medium', 'utm_source', 'public_id', 'partner_code'] as const

/** The responses of a form as CSV, line by line: one column for every question, then where they came from. */
export async function* csvLines(form: FormDefinition, responses: AsyncIterable<Response>): AsyncGenerator<string> {
  yield line(['received_at', 'response_id', ...form.questions.map(({ label }) => label), ...trackingColumns])
  for await (const { id, receivedAt, answers, tracking } of responses) {
    const given = form.questions.map(({ id: question }) => answers[question] ?? '')
    yield line([
      receivedAt.toISOString(),
      id,
      ...given.map((answer) => (Array.isArray(answer) ? answer.join('; ') : answer)),
      ...trackingColumns.map((name) => tracking[name] ?? ''),
    ])
  }
}
