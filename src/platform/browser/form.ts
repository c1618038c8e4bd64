import { type ChangeEvent, type FocusEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'

type Control = HTMLInputElement | HTMLSelectElement
type Errors = Readonly<Record<string, string>>

export interface FormState {
  /** The message of each invalid field, as far as it is shown. */
  errors: Errors
  isSubmitting: boolean
}

/** Reads typed values: returns them as they will be sent, and the message of each invalid field. */
export type ReadValues<V, O> = (typed: V) => { values: O; errors: Errors }

/** What a control needs to be a field of the form. */
export interface RegisteredField {
  name: string
  /** The initial value, for browsers without script. */
  defaultValue?: string
  defaultChecked?: boolean
  ref: (control: Control | null) => (() => void) | undefined
  onChange: (event: ChangeEvent<Control>) => void
  onBlur: (event: FocusEvent<Control>) => void
}

type NameOf<V> = keyof V & string

/**
 * The state of a form of native controls. A field is validated when it is left and, after the first submit, whenever it
 * changes; a submit validates all. Nothing renders while the user types.
 */
export interface Form<V, O = unknown> {
  register(name: NameOf<V>): RegisteredField
  getValue<N extends NameOf<V>>(name: N): V[N]
  setValue<N extends NameOf<V>>(name: N, value: V[N], options?: { validate: boolean }): void
  getError(name: NameOf<V>): string | undefined
  setError(name: NameOf<V>, message: string): void
  /** Shows or removes the error of one field. */
  validate(name: NameOf<V>): void
  /** Returns whether a value differs from the initial one. */
  isDirty(): boolean
  /** Replaces the values; by default with the initial ones. */
  reset(values?: V): void
  /** Returns the invalid fields among the named ones, in page order. */
  invalidFields(names: readonly string[]): InvalidField[]
  /** Validates all fields, then runs the work, once at a time. */
  submit(work: (values: O) => Promise<unknown>, onInvalid: (names: string[]) => void): Promise<void>
  subscribe(listener: () => void): () => void
  getState(): FormState
}

/** One invalid field: its message from the schema or the server, and its control. */
export interface InvalidField {
  name: string
  message: string
  control: HTMLElement | null
  /** The id of the control where it is not mounted yet. */
  id?: string
}

/** `errors` are those of a form that was posted before hydration. */
export function createForm<V extends object, O>(
  read: ReadValues<V, O>,
  initialValues: V,
  errors: Errors = {},
): Form<V, O> {
  let initial = initialValues
  const values = { ...initial } as Record<string, unknown>
  let state: FormState = { errors, isSubmitting: false }
  let wasSubmitted = Object.keys(errors).length > 0
  const controls = new Map<string, Control>()
  const listeners = new Set<() => void>()

  function notify(changes?: Partial<FormState>): void {
    if (changes) state = { ...state, ...changes }
    for (const listener of listeners) listener()
  }

  function showError(name: string, message: string | undefined): void {
    if (state.errors[name] === message) return
    const { [name]: _before, ...others } = state.errors
    notify({ errors: message === undefined ? others : { ...others, [name]: message } })
  }

  const validate = (name: string) => showError(name, read(values as V).errors[name])

  function setValue(name: string, value: unknown, options?: { validate: boolean }): void {
    values[name] = value
    const control = controls.get(name)
    if (control) writeControl(control, value)
    notify()
    if (options?.validate) validate(name)
  }

  // A control may have a value already: typed before hydration, or restored by the browser.
  function ref(control: Control | null) {
    if (!control) return
    const { name } = control
    controls.set(name, control)
    if (values[name] === undefined || isFilled(control)) values[name] = readControl(control)
    else writeControl(control, values[name])
    return () => {
      if (controls.get(name) === control) controls.delete(name)
    }
  }

  // Password managers do not always announce what they fill in.
  function collect(): void {
    for (const [name, control] of controls) values[name] = readControl(control)
  }

  function onChange({ target }: ChangeEvent<Control>): void {
    values[target.name] = readControl(target)
    notify()
    if (wasSubmitted) validate(target.name)
  }

  function onBlur({ target }: FocusEvent<Control>): void {
    values[target.name] = readControl(target)
    if (!wasSubmitted) afterPress(() => validate(target.name))
  }

  async function submit(work: (values: O) => Promise<unknown>, onInvalid: (names: string[]) => void): Promise<void> {
    if (state.isSubmitting) return
    wasSubmitted = true
    collect()
    const { values: valid, errors } = read(values as V)
    const wrong = Object.keys(errors)
    notify({ errors, isSubmitting: wrong.length === 0 })
    if (wrong.length > 0) return onInvalid(wrong)
    await work(valid).finally(() => notify({ isSubmitting: false }))
  }

  return {
    register: (name) => ({ name, ref, onChange, onBlur, ...defaultOf(initial[name]) }),
    getValue: (name) => values[name] as never,
    setValue,
    getError: (name) => state.errors[name],
    setError: showError,
    validate,
    isDirty() {
      collect()
      return Object.entries(initial).some(([name, value]) => values[name] !== value)
    },
    reset(next = initial) {
      initial = next
      for (const [name, value] of Object.entries(next)) setValue(name, value)
      notify({ errors: {} })
    },
    invalidFields: (names) =>
      names
        .map((name) => ({ name, message: state.errors[name] ?? '', control: controls.get(name) ?? null }))
        .sort(({ control: a }, { control: b }) => {
          if (!a || !b) return a ? -1 : 1
          return a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
        }),
    submit,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getState: () => state,
  }
}

/** What ends a press. A release outside of the window is not reported; whoever types has released. */
const releases = ['pointerup', 'pointercancel', 'keydown'] as const

let isPressed = false
if (typeof document !== 'undefined') {
  const set = (next: boolean) => () => {
    isPressed = next
  }
  document.addEventListener('pointerdown', set(true), true)
  for (const release of releases) document.addEventListener(release, set(false), true)
}

/**
 * Runs work at once, or after the click that is being made: an error that appears between pressing and releasing moves what
 * was to be clicked away from under the pointer.
 */
function afterPress(work: () => void): void {
  if (!isPressed) {
    work()
    return
  }
  const waiting = new AbortController()
  const run = () => {
    waiting.abort()
    // The click follows the release.
    setTimeout(work)
  }
  for (const release of releases) document.addEventListener(release, run, waiting)
}

const isCheckbox = (control: Control): control is HTMLInputElement & { type: 'checkbox' } => control.type === 'checkbox'

const readControl = (control: Control) => (isCheckbox(control) ? control.checked : control.value)

function writeControl(control: Control, value: unknown): void {
  if (isCheckbox(control)) control.checked = value === true
  else control.value = String(value ?? '')
}

function defaultOf(value: unknown): Pick<RegisteredField, 'defaultValue' | 'defaultChecked'> {
  if (value === true) return { defaultChecked: true }
  return value ? { defaultValue: String(value) } : {}
}

function isFilled(control: Control): boolean {
  if ('selectedIndex' in control) return control.selectedIndex > 0
  return isCheckbox(control) ? control.checked !== control.defaultChecked : control.value !== control.defaultValue
}

/** A form of a component, which renders again when its state changes. */
export function useForm<V extends object, O>(
  read: ReadValues<V, O>,
  initialValues: V,
  errors?: Errors,
): [Form<V, O>, FormState] {
  const latest = useRef(read)
  useEffect(() => {
    latest.current = read
  })
  const [form] = useState(() => createForm<V, O>((typed) => latest.current(typed), initialValues, errors))
  return [form, useSyncExternalStore(form.subscribe, form.getState, form.getState)]
}

/** The current value of a field, for a component that shows more than its control. */
export function useFieldValue<V, N extends NameOf<V>>(form: Form<V>, name: N): V[N] {
  const getValue = () => form.getValue(name)
  return useSyncExternalStore(form.subscribe, getValue, getValue)
}

/** Adds work on blur to a field's props, after the form's own validation. */
export function onBlurThen<F extends Pick<RegisteredField, 'onBlur'>>(field: F, work: (value: string) => unknown): F {
  return {
    ...field,
    onBlur(event: FocusEvent<Control>) {
      field.onBlur(event)
      void work(event.target.value)
    },
  }
}
