import { expect, test, vi } from 'vitest'
import { createForm } from './form.ts'

interface Values {
  name: string
  agreed: boolean
  note?: string
}

const initial: Values = { name: '', agreed: false }

function create(values = initial, shown = {}) {
  return createForm<Values, Values>(
    (typed) => {
      const errors: Record<string, string> = {}
      if (typed.name.trim() === '') errors['name'] = 'missing'
      if (!typed.agreed) errors['agreed'] = 'unticked'
      return { values: { ...typed, name: typed.name.trim() }, errors }
    },
    values,
    shown,
  )
}

type Form = ReturnType<typeof create>

/** A control as far as a form uses it. Its events reach the form as React's would. */
function control(form: Form, name: keyof Values, { value = '', checked = false, type = 'text' } = {}) {
  const field = form.register(name)
  const element = { name, type, value, defaultValue: '', checked, defaultChecked: false }
  const unmount = field.ref(element as never)
  const event = { target: element } as never
  return {
    element,
    unmount: () => unmount?.(),
    leave: () => field.onBlur(event),
    type(text: string) {
      element.value = text
      field.onChange(event)
    },
    tick(on: boolean) {
      element.checked = on
      field.onChange(event)
    },
  }
}

const never = async () => {
  throw new Error('an invalid form was submitted')
}

test('a field is validated when it is left, and after the first submit whenever it changes', async () => {
  const form = create()
  const name = control(form, 'name')
  name.type(' ')
  expect(form.getState().errors).toEqual({})
  name.leave()
  expect(form.getState().errors).toEqual({ name: 'missing' })
  // The error remains while the user types, so that nothing moves.
  name.type('Ada')
  expect(form.getError('name')).toBe('missing')
  name.leave()
  expect(form.getError('name')).toBeUndefined()
  const onInvalid = vi.fn()
  await form.submit(never, onInvalid)
  expect(onInvalid.mock.calls).toEqual([[['agreed']]])
  name.type('')
  expect(form.getState().errors).toEqual({ name: 'missing', agreed: 'unticked' })
  name.type('A')
  expect(form.getState().errors).toEqual({ agreed: 'unticked' })
  form.setError('name', 'taken')
  name.leave()
  expect(form.getError('name')).toBe('taken')
})

test('a submit passes on the values that were read, and runs once at a time', async () => {
  const form = create({ name: ' Ada ', agreed: true })
  let finish = () => {}
  const work = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
  const [first, second] = [form.submit(work, never), form.submit(work, never)]
  expect(form.getState().isSubmitting).toBe(true)
  finish()
  await Promise.all([first, second])
  expect(work.mock.calls).toEqual([[{ name: 'Ada', agreed: true }]])
  expect(form.getState().isSubmitting).toBe(false)
  await expect(form.submit(() => Promise.reject(new Error('lost')), never)).rejects.toThrow('lost')
  expect(form.getState().isSubmitting).toBe(false)
})

test('a control shows its initial value, but keeps what was typed before it belonged to the form', () => {
  const form = create({ name: 'Ada', agreed: true })
  expect(control(form, 'name').element.value).toBe('Ada')
  expect(control(form, 'agreed', { type: 'checkbox' }).element.checked).toBe(true)
  expect(control(form, 'name', { value: 'Augusta' }).element.value).toBe('Augusta')
  expect(form.getValue('name')).toBe('Augusta')
  // Without an initial value a field has that of its control.
  control(form, 'note')
  expect(form.getValue('note')).toBe('')
})

test('an initial value is also one of the HTML, for browsers without script; an empty one is not', () => {
  const [filled, empty] = [create({ name: 'Ada', agreed: true }), create()]
  expect(filled.register('name')).toMatchObject({ name: 'name', defaultValue: 'Ada' })
  expect(filled.register('agreed')).toMatchObject({ name: 'agreed', defaultChecked: true })
  for (const name of ['name', 'agreed', 'note'] as const)
    expect(Object.keys(empty.register(name))).toEqual(['name', 'ref', 'onChange', 'onBlur'])
})

test('a form that was posted without script starts with its errors, and continues as after a submit', () => {
  const form = create(initial, { name: 'missing' })
  expect(form.getError('name')).toBe('missing')
  const name = control(form, 'name')
  name.type('Ada')
  expect(form.getError('name')).toBeUndefined()
})

test('values that a password manager fills in without an event are submitted', async () => {
  const form = create()
  control(form, 'name').element.value = 'Ada'
  control(form, 'agreed', { type: 'checkbox' }).element.checked = true
  const work = vi.fn(async () => {})
  await form.submit(work, never)
  expect(work.mock.calls).toEqual([[{ name: 'Ada', agreed: true }]])
})

test('a value is retained while its control is not on the page', () => {
  const form = create()
  const name = control(form, 'name')
  name.type('Ada')
  name.unmount()
  form.setValue('name', 'Augusta')
  expect(name.element.value).toBe('Ada')
  expect(control(form, 'name').element.value).toBe('Augusta')
})

test('a value set by the page is shown, and validated on request', () => {
  const form = create({ name: 'Ada', agreed: true })
  const { element } = control(form, 'name')
  const listener = vi.fn()
  const unsubscribe = form.subscribe(listener)
  form.setValue('name', '')
  expect([element.value, form.getError('name'), listener.mock.calls.length]).toEqual(['', undefined, 1])
  form.setValue('name', ' ', { validate: true })
  expect(form.getError('name')).toBe('missing')
  unsubscribe()
  listener.mockClear()
  form.setValue('name', 'Ada')
  expect(listener).not.toHaveBeenCalled()
})

test('a form is dirty while a value differs from the initial one; a reset shows the new initial ones', () => {
  const form = create({ name: 'Ada', agreed: true })
  const [name, agreed] = [control(form, 'name'), control(form, 'agreed', { type: 'checkbox' })]
  expect(form.isDirty()).toBe(false)
  name.type('Augusta')
  agreed.tick(false)
  expect(form.isDirty()).toBe(true)
  form.reset({ name: 'Augusta', agreed: false })
  expect(form.isDirty()).toBe(false)
  name.type('')
  name.leave()
  form.reset()
  expect([name.element.value, agreed.element.checked, form.getState().errors]).toEqual(['Augusta', false, {}])
})

test('an invalid field that is not on the page is listed without a control', () => {
  const form = create()
  form.setError('name', 'Taken.')
  expect(form.invalidFields(['name', 'note'])).toEqual([
    { name: 'name', message: 'Taken.', control: null },
    { name: 'note', message: '', control: null },
  ])
})

test('the state is the same object until it changes, so that typing renders nothing', () => {
  const form = create()
  const before = form.getState()
  control(form, 'name').type('Ada')
  form.validate('name')
  expect(form.getState()).toBe(before)
})

test('a list from which something was chosen before it belonged to the form keeps the choice', () => {
  const select = (selectedIndex: number) => {
    const form = create({ name: 'third', agreed: true })
    const value = ['first', 'second', 'third'][selectedIndex]
    const element = { name: 'name', type: 'select-one', selectedIndex, value }
    form.register('name').ref(element as never)
    return [element.value, form.getValue('name')]
  }
  expect([select(0), select(1)]).toEqual([
    ['third', 'third'],
    ['second', 'second'],
  ])
})

test('VAL-028 an error waits for the click that leaves the field, so that nothing moves away from under the pointer', async () => {
  vi.resetModules()
  const page = new EventTarget()
  vi.stubGlobal('document', page)
  const { createForm: createInBrowser } = await import('./form.ts')
  const form = createInBrowser<Values, Values>(
    (values) => ({ values, errors: Object.fromEntries(values.name === '' ? [['name', 'missing']] : []) }),
    initial,
  )
  const name = control(form as Form, 'name')
  // With the keyboard the error is there at once.
  name.leave()
  expect(form.getState().errors).toEqual({ name: 'missing' })
  form.reset()
  page.dispatchEvent(new Event('pointerdown'))
  name.leave()
  expect(form.getState().errors).toEqual({})
  page.dispatchEvent(new Event('pointerup'))
  expect(form.getState().errors).toEqual({})
  await vi.waitFor(() => expect(form.getState().errors).toEqual({ name: 'missing' }))
  vi.unstubAllGlobals()
})
