import { z } from 'zod'
import { sentLine } from '../src/platform/form-schema.ts'
import { isLegible } from '../src/platform/legible-text.ts'
import type { FormDefinition, Question } from '../src/programs/partners/form-definition.ts'
import { messages } from './messages.ts'

const trackingValue = sentLine().max(200).default('')

/** Tracking parameters of a response: taken from the address of the form and submitted with it. */
export const Tracking = z.object({
  utm_campaign: trackingValue,
  utm_medium: trackingValue,
  utm_source: trackingValue,
  public_id: trackingValue,
  partner_code: trackingValue,
})
export type Tracking = z.infer<typeof Tracking>

export type ResponseValues = Record<string, string | string[]>

/** Returns the submitted values by question, with validation errors. Unknown questions are errors. */
export function readResponse(
  form: FormDefinition,
  sent: URLSearchParams,
): { fieldValues: ResponseValues; errors: Record<string, string> } {
  const fieldValues: ResponseValues = {}
  const errors: Record<string, string> = {}
  for (const question of form.questions) {
    const values = sent
      .getAll(`q.${question.id}`)
      .map((value) => value.trim().replaceAll('\r\n', '\n'))
      .filter(Boolean)
    const wrong = problemOf(question, values)
    if (wrong) errors[question.id] = wrong
    if (values.length > 0) fieldValues[question.id] = question.type === 'multiple' ? values : (values[0] as string)
  }
  return { fieldValues, errors }
}

function problemOf(question: Question, values: string[]): string | null {
  if (values.length === 0) return question.required ? messages.required : null
  switch (question.type) {
    case 'rating':
      return values.length === 1 && /^[1-5]$/.test(values[0] as string) ? null : messages.choose
    case 'single':
      return values.length === 1 && question.choices.includes(values[0] as string) ? null : messages.choose
    case 'multiple': {
      const known = values.every((value) => question.choices.includes(value))
      return known && new Set(values).size === values.length ? null : messages.choose
    }
    default:
      return textProblem(question, values)
  }
}

// Any answer may have several lines: it is exported, and a review is shown as a paragraph.
function textProblem(
  { label, most }: { label: string; most: number },
  [text = '', ...others]: string[],
): string | null {
  if (others.length > 0) return messages.choose
  if (text.length > most) return messages.tooLong(label, most)
  return isLegible(text, { multiline: true }) ? null : messages.invisible
}
