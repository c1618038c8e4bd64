import { toCsvFile, toCsvRows } from '../src/platform/csv.ts'
import type { FormDefinition } from '../src/programs/partners/form-definition.ts'
import type { Response } from './store.ts'

const trackingColumns = ['utm_campaign', 'utm_medium', 'utm_source', 'public_id', 'partner_code'] as const

/** Yields the responses of a form as CSV lines: one column per question, then the tracking columns. */
export async function* csvLines(form: FormDefinition, responses: AsyncIterable<Response>): AsyncGenerator<string> {
  yield toCsvFile([['received_at', 'response_id', ...form.questions.map(({ label }) => label), ...trackingColumns]])
  for await (const { id, receivedAt, fieldValues, tracking } of responses) {
    const given = form.questions.map(({ id: question }) => fieldValues[question] ?? '')
    yield toCsvRows([
      [
        receivedAt.toISOString(),
        id,
        ...given.map((answer) => (Array.isArray(answer) ? answer.join('; ') : answer)),
        ...trackingColumns.map((name) => tracking[name] ?? ''),
      ],
    ])
  }
}
