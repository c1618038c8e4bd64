import { expect, test } from 'vitest'
import { FormDefinition } from '../src/programs/partners/form-definition.ts'
import { formPage } from './form-page.ts'

test('a form has a notice only when an answer is wrong or it could not be stored', () => {
  const questions = [{ id: 'why', label: 'Why?', type: 'text' }]
  const form = FormDefinition.parse({ id: 'visit', title: 'Visit', questions, submit: 'Send', thanks: 'Thank you' })
  const hasNotice = (errors: Record<string, string>, failed: boolean) => {
    const view = { form, errors, failed, fieldValues: {}, responseId: '1', tracking: {}, action: '/' }
    return String(formPage(view as never, { styles: '', nonce: '', isFramed: false })).includes('role="alert"')
  }
  expect([hasNotice({}, false), hasNotice({ why: 'Too long' }, false), hasNotice({}, true)]).toEqual([
    false,
    true,
    true,
  ])
})
