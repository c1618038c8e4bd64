import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CheckboxField } from './CheckboxField.tsx'
import { Combobox } from './Combobox.tsx'
import { PasswordField } from './PasswordField.tsx'
import { SelectField } from './SelectField.tsx'
import { TextField } from './TextField.tsx'

const noChange = () => {}

test('what only a script can read is disabled until it can; a control of a native form is not', () => {
  const html = renderToString(
    <>
      <TextField label="Bill" name="controlled" value="40" onChange={noChange} />
      <TextField label="Email" name="native" defaultValue="ada@example.com" />
      <SelectField label="Status" name="controlled" value="" onChange={noChange} />
      <SelectField label="State" name="native" defaultValue="NY" />
    </>,
  )
  const controls = [...html.matchAll(/<(?:input|select)[^>]*>/g)].map(([tag]) => tag)
  expect(controls.map((tag) => [/name="(\w+)"/.exec(tag)?.[1], tag.includes('disabled=""')])).toEqual([
    ['controlled', true],
    ['native', false],
    ['controlled', true],
    ['native', false],
  ])
})

test('a control is described by its hint and its error, whose place is there before it', () => {
  const html = renderToString(
    <>
      <TextField id="both" label="Code" hint="Six digits" error="Wrong" />
      <TextField id="hint" label="Code" hint="Six digits" />
      <CheckboxField id="box" label="Terms" error="Required" />
    </>,
  )
  const controls = [...html.matchAll(/<input[^>]*>/g)].map(([tag]) => [
    /aria-describedby="([^"]+)"/.exec(tag)?.[1],
    tag.includes('aria-invalid="true"'),
  ])
  expect(controls).toEqual([
    ['both-hint both-error', true],
    ['hint-hint', false],
    ['box-error', true],
  ])
  for (const id of ['both', 'hint', 'box'])
    expect(html).toMatch(new RegExp(`<p id="${id}-error"[^>]* aria-live="polite"`))
})

test('a field with suggestions says whether it is required, and is described by its error', () => {
  const texts = { label: 'Place', name: 'place', value: '', listLabel: 'Places' }
  const functions = { countText: String, onType: noChange, onChoose: noChange }
  const attributesOf = (over: { error?: string; requiredText?: string }) => {
    const html = renderToString(<Combobox {...texts} {...functions} options={[]} {...over} />)
    const [input = ''] = /<input[^>]*>/.exec(html) ?? []
    const described = /aria-describedby="([^"]+)"/.exec(input)?.[1]
    return {
      isRequired: input.includes('aria-required="true"'),
      isInvalid: input.includes('aria-invalid="true"'),
      error: described && new RegExp(`<p id="${described}"[^>]*>([^<]*)`).exec(html)?.[1],
    }
  }
  expect(attributesOf({})).toEqual({ isRequired: false, isInvalid: false, error: undefined })
  expect(attributesOf({ error: 'Enter a place', requiredText: '(required)' })).toEqual({
    isRequired: true,
    isInvalid: true,
    error: 'Enter a place',
  })
})

test('the text of a password is not checked or changed by the browser when it is shown', () => {
  const lockTexts = { caps: '', num: '', both: '' }
  const html = renderToString(<PasswordField label="Password" showText="Show" hideText="Hide" lockTexts={lockTexts} />)
  const [input = ''] = /<input[^>]*>/.exec(html) ?? []
  expect(input).toMatch(/ spellcheck="false"/i)
  expect(input).toMatch(/ autocapitalize="none"/i)
})
