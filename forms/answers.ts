import { z } from 'zod'
import type { FormDefinition, Question } from '../src/programs/partners/form-definition.ts'
import { words } from './words.ts'

const mark = z.string().max(200).default('')

/** Tracking parameters of a response: taken from the address of the form and submitted with it. */
export const Tracking = z.object({
  utm_campaign: mark,
  utm_medium: mark,
  utm_source: mark,
  public_id: mark,
  partner_code: mark,
})
export type Tracking = z.infer<typeof Tracking>

export type Answers = Record<string, string | string[]>

/** Returns the submitted answers by question, with validation errors. Unknown questions are errors. */
export function readAnswers(
  form: FormDefinition,
  sent: URLSearchParams,
): { answers: Answers; errors: Record<string, string> } {
  const answers: Answers = {}
  const errors: Record<string, string> = {}
  for (const question of form.questions) {
    const values = sent
      .getAll(`q.${question.id}`)
      .map((value) => value.trim().replaceAll('\r\n', '\n'))
      .filter(Boolean)
    const wrong = problemOf(question, values)
    if (wrong) errors[question.id] = wrong
    if (values.length > 0) answers[question.id] = question.type === 'multiple' ? values : (values[0] as string)
  }
  return { answers, errors }
}

function problemOf(question: Question, values: string[]): string | null {
  if (values.length === 0) return question.required ? words.required : null
  switch (question.type) {
    case 'rating':
      return values.length === 1 && /^[1-5]$/.test(values[0] as string) ? null : words.choose
    case 'single':
      return values.length === 1 && question.choices.includes(values[0] as string) ? null : words.choose
    case 'multiple': {
      const known = values.every((value) => question.choices.includes(value))
      return known && new Set(values).size === values.length ? null : words.choose
    }
    default:
      return values.length === 1 && (values[0] as string).length <= question.most ? null : words.tooLong(question.most)
  }
}
