import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
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
