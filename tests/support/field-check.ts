import { createElement } from 'react'
import { renderHtml } from './render-part.tsx'

interface Field {
  value: string
  error: string | undefined
}

type Check = (value: string) => Promise<void>

/** What a check uses of its form. */
interface FormOfField {
  getError: () => string | undefined
  getValue: () => string
  setError: (name: string, problem: string) => void
}

interface ProbeProps {
  useCheck: (form: never) => Check
  form: FormOfField
  onRender: (check: Check) => void
}

function Probe({ useCheck, form, onRender }: ProbeProps) {
  onRender(useCheck(form as never))
  return null
}

/**
 * Runs the hook of a check that requests whether a field's value is valid. Returns the field, the values that were sent,
 * the errors that were set, and a function that leaves the field with a value. `name` is that of the query's parameter.
 */
export function setUpFieldCheck(
  useCheck: (form: never) => Check,
  {
    name,
    partner,
    respond,
  }: { name: string; partner: string; respond: (value: string) => Promise<{ isValid: boolean }> },
) {
  const field: Field = { value: '', error: undefined }
  const sent: string[] = []
  const errors: (readonly [string, string])[] = []
  const form: FormOfField = {
    getError: () => field.error,
    getValue: () => field.value,
    setError: (name, problem) => void errors.push([name, problem]),
  }
  let check: Check = async () => {}
  const onRender = (rendered: Check) => {
    check = rendered
  }
  renderHtml(createElement(Probe, { useCheck, form, onRender }), {
    partner,
    call: (_call, given) => {
      const value = (given as { query: Record<string, string> }).query[name] ?? ''
      sent.push(value)
      return respond(value)
    },
  })
  const leave = (value: string) => {
    field.value = value
    return check(value)
  }
  return { field, sent, errors, leave }
}
