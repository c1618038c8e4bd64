import { emailPattern, toAsciiEmail } from './email-address.ts'
import { isSupportedDay } from './time.ts'
import { toZip5 } from './zip-code.ts'

/**
 * The fields of a form: the one description of what may be typed. The browser checks with `readForm`, the server with
 * the zod schema that `formSchema` makes of it. Messages are copy keys. See docs/decisions/058.
 */
export type FormFields = Readonly<Record<string, FormField>>
export type FormField = TextField<Absent> | DayField | FlagField<Absent> | ConsentField

/** What a field is that a request leaves out: an error, an empty text or false, or undefined. */
type Absent = 'error' | 'empty' | 'undefined'

interface TextRules {
  /** Copy key of the field's name: what says that a text is too long names it, and so does the list of all errors. */
  label?: string
  /** Copy key for a text shorter than `min`, which is then 1 by default. */
  missing?: string
  min?: number
  /** Copy key for a text that is too long, where the limit itself says nothing to people. */
  tooLong?: string
  /** False for passwords and chosen values: spaces around them count. */
  trim?: boolean
  /** The text may have several lines. */
  multiline?: boolean
  /** The expected form of the text, with its copy key; checked with the lengths. */
  pattern?: readonly [RegExp, string]
  /** A format that is checked last, after a conversion. */
  format?: { convert?: (text: string) => string; pattern: RegExp; wrong: string }
  /** Returns the copy key of any other problem, or null. */
  problem?: (text: string) => string | null
}

export interface TextField<A extends Absent> extends TextRules {
  type: 'text'
  max: number | null
  absent: A
}

/** A calendar date. */
export interface DayField {
  type: 'day'
  absent: 'error'
}

export interface FlagField<A extends Absent> {
  type: 'flag'
  absent: A
}

/** A checkbox that must be ticked. */
export interface ConsentField {
  type: 'consent'
  absent: 'error'
  missing: string
}

/** A text of at most `max` characters; spaces around it are removed. */
export function text<A extends Absent = 'error'>(
  max: number | null,
  rules: TextRules & { absent?: A } = {},
): TextField<A> {
  return { type: 'text', max, absent: 'error' as A, ...rules }
}

/** An email address of at most `max` characters as typed; its domain is converted to ASCII. */
export const email = (label: string, missing: string, max: number = maxTypedEmail) =>
  text(max, { label, missing, format: { convert: toAsciiEmail, pattern: emailPattern, wrong: 'validation.email' } })

const maxTypedEmail = 50

/** Five digits. ZIP+4 is accepted, and its first five digits are stored. */
export const zipCode = () =>
  text(null, {
    label: 'join.zip',
    missing: 'validation.zip_missing',
    format: { convert: toZip5, pattern: /^\d{5}$/, wrong: 'validation.zip_format' },
  })

export const day = (): DayField => ({ type: 'day', absent: 'error' })

export function flag<A extends Absent = 'empty'>(rules: { absent?: A } = {}): FlagField<A> {
  return { type: 'flag', absent: 'empty' as A, ...rules }
}

export const consent = (missing: string): ConsentField => ({ type: 'consent', absent: 'error', missing })

type Checked<F> = F extends ConsentField ? true : F extends FlagField<Absent> ? boolean : string
type Typed<F> = F extends FlagField<Absent> | ConsentField ? boolean : string
type NamesWith<F extends FormFields, A extends Absent> = {
  [N in keyof F]: F[N]['absent'] extends A ? N : never
}[keyof F]

/** The state of a form while it is filled in. */
export type FormValues<F extends FormFields> = { [N in Exclude<keyof F, NamesWith<F, 'undefined'>>]: Typed<F[N]> } & {
  [N in NamesWith<F, 'undefined'>]?: Typed<F[N]> | undefined
}
/** What a request may contain. */
export type FormInput<F extends FormFields> = { [N in NamesWith<F, 'error'>]: Checked<F[N]> } & {
  [N in Exclude<keyof F, NamesWith<F, 'error'>>]?: Checked<F[N]> | undefined
}
/** A valid form. */
export type FormOutput<F extends FormFields> = {
  [N in Exclude<keyof F, NamesWith<F, 'undefined'>>]: Checked<F[N]>
} & { [N in NamesWith<F, 'undefined'>]?: Checked<F[N]> | undefined }

type Errors = Readonly<Record<string, string>>

export interface ReadForm<F extends FormFields> {
  /** The values as they will be sent: converted and without spaces around them. Valid when there are no errors. */
  values: FormOutput<F>
  /** The copy key of each invalid field. */
  errors: Errors
}

/**
 * Checks typed values as the server does, except for invisible characters, which only the server refuses: hardly anybody
 * types one, and their pattern weighs half a kilobyte.
 */
export function readForm<F extends FormFields>(fields: F, typed: Partial<FormValues<F>>): ReadForm<F> {
  const values: Record<string, unknown> = {}
  const errors: Record<string, string> = {}
  for (const [name, field] of Object.entries<FormField>(fields)) {
    const given = (typed as Record<string, unknown>)[name]
    if (given === undefined && field.absent === 'undefined') continue
    const { value, error } = readField(field, given)
    values[name] = value
    if (error) errors[name] = error
  }
  return { values: values as FormOutput<F>, errors }
}

function readField(field: FormField, given: unknown): { value: unknown; error?: string | null | undefined } {
  switch (field.type) {
    case 'text':
      return readText(field, String(given ?? ''))
    case 'day':
      return { value: given, error: isSupportedDay(String(given)) ? null : 'validation.check' }
    case 'flag':
      return { value: given === true }
    case 'consent':
      return { value: given, error: given === true ? null : field.missing }
  }
}

function readText({ trim = true, max, pattern, format, problem, ...rules }: TextField<Absent>, given: string) {
  const text = trim ? given.trim() : given
  const error = lengthProblem(text.length) ?? (pattern && !pattern[0].test(text) ? pattern[1] : problem?.(text))
  if (error || !format) return { value: text, error }
  const value = format.convert?.(text) ?? text
  return { value, error: format.pattern.test(value) ? null : format.wrong }

  function lengthProblem(length: number): string | null {
    if (length < minLength(rules)) return rules.missing ?? 'validation.check'
    return max !== null && length > max ? tooLong(max, rules) : null
  }
}

/**
 * Returns the errors of a form by field: those of the description, replaced by the rules of the program, except where a
 * text is too long, which no other word explains.
 */
export function withProblems(errors: Errors, problems: readonly { field: string; message: string }[]): Errors {
  const added = problems.filter(({ field }) => !errors[field]?.startsWith('validation.too_long'))
  return { ...errors, ...Object.fromEntries(added.map(({ field, message }) => [field, message])) }
}

/** Returns the copy key of a field's name; undefined where only its message says what is meant. */
export const labelOf = (field: FormField | undefined) => (field && 'label' in field ? field.label : undefined)

export const minLength = ({ missing, min }: TextRules): number => min ?? (missing === undefined ? 0 : 1)

export function tooLong(max: number, { tooLong, label }: TextRules): string {
  return tooLong ?? (label ? `validation.too_long|${max}|${label}` : `validation.max_length|${max}`)
}
