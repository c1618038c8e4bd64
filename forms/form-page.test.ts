import { expect, test } from 'vitest'
import { FormDefinition } from '../src/programs/partners/form-definition.ts'
import { endPage, formPage, noticePage, thanksPage } from './form-page.ts'
import { messages } from './messages.ts'

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

test('the error of every kind of question is its description for screen readers', () => {
  const questions = [
    { id: 'short', label: 'Why?', type: 'text' },
    { id: 'story', label: 'How?', type: 'long' },
    { id: 'ease', label: 'How easy?', type: 'rating', low: 'Hard', high: 'Easy' },
    { id: 'one', label: 'Which?', type: 'single', choices: ['Left', 'Right'] },
    { id: 'some', label: 'Which ones?', type: 'multiple', choices: ['Left', 'Right'] },
  ]
  const form = FormDefinition.parse({ id: 'visit', title: 'Visit', questions, submit: 'Send', thanks: 'Thank you' })
  const errors = Object.fromEntries(questions.map(({ id }) => [id, `Answer ${id}`]))
  const view = { form, errors, failed: false, fieldValues: {}, responseId: '1', tracking: {}, action: '/' }
  const page = formPage(view as never, { styles: '', nonce: '', isFramed: false })
  const described = [...page.matchAll(/aria-describedby="([^"]+)"/g)].map(([, id]) => id)
  const texts = described.map((id) => new RegExp(`<p class="error" id="${id}">([^<]*)</p>`).exec(page)?.[1])
  expect(texts).toEqual(Object.values(errors))
})

test('a form that is shown again has every choice that was made, and no other', () => {
  const choices = ['Left', 'Right', 'Ahead']
  const questions = [
    { id: 'one', label: 'Which?', type: 'single', choices },
    { id: 'some', label: 'Which ones?', type: 'multiple', choices },
    { id: 'ease', label: 'How easy?', type: 'rating', low: 'Hard', high: 'Easy' },
  ]
  const form = FormDefinition.parse({ id: 'visit', title: 'Visit', questions, submit: 'Send', thanks: 'Thank you' })
  const fieldValues = { one: 'Right', some: ['Left', 'Ahead'], ease: '4' }
  const view = { form, errors: {}, failed: false, fieldValues, responseId: '1', tracking: {}, action: '/' }
  const page = formPage(view as never, { styles: '', nonce: '', isFramed: false })
  const checked = [...page.matchAll(/name="([^"]+)" value="([^"]+)"[^>]* checked>/g)]
  expect(checked.map(([, name, value]) => [name, value])).toEqual([
    ['q.one', 'Right'],
    ['q.some', 'Left'],
    ['q.some', 'Ahead'],
    ['q.ease', '4'],
  ])
})

test('a form in a frame leaves the main element to its page, and the fields say what they need to know', () => {
  const questions = [
    { id: 'short', label: 'Why?', type: 'text', most: 80 },
    { id: 'story', label: 'How?', type: 'long', most: 900, required: true },
    { id: 'ease', label: 'How easy?', type: 'rating', low: 'Hard', high: 'Easy' },
  ]
  const form = FormDefinition.parse({ id: 'visit', title: 'Visit', questions, submit: 'Send', thanks: 'Thank you' })
  const view = { form, errors: {}, failed: false, responseId: '1', tracking: { utm_source: '/search' }, action: '/' }
  const fieldValues = { short: 'Soup', story: '\nOnce' }
  const show = (isFramed: boolean) => formPage({ ...view, fieldValues } as never, { styles: '', nonce: '', isFramed })
  expect([show(true), show(false)].map((page) => page.includes('<main'))).toEqual([false, true])
  const page = show(true)
  for (const part of [
    '<input type="hidden" name="response_id" value="1">',
    '<input type="hidden" name="utm_source" value="/search">',
    '<label for="q.short">Why? <small>(optional)</small></label>',
    '<input id="q.short" name="q.short" value="Soup">',
    '<label for="q.story">How?</label>',
    // A browser leaves out the first line break of the element.
    '<textarea id="q.story" name="q.story" rows="4">\n\nOnce</textarea>',
    'value="1" aria-label="1, Hard">',
    'value="2"> 2',
    'value="5" aria-label="5, Easy">',
    '<button>Send</button>',
  ])
    expect(page).toContain(part)
})

test('a form shows its introduction if it has one, and says what kind of problem there is', () => {
  const questions = [{ id: 'why', label: 'Why?', type: 'text' }]
  const page = (over: object, state: object = {}) => {
    const form = FormDefinition.parse({
      id: 'visit',
      title: 'Your <visit>',
      questions,
      submit: 'Send',
      thanks: 'Thank you',
      ...over,
    })
    const view = {
      form,
      errors: {},
      failed: false,
      fieldValues: {},
      responseId: '1',
      tracking: {},
      action: '/a?b=1&c=2',
    }
    return formPage({ ...view, ...state } as never, { styles: '', nonce: '', isFramed: false })
  }
  const intro = (over: object) => /<p class="intro">([^<]*)/.exec(page(over))?.[1]
  expect([intro({}), intro({ intro: 'Two questions.' })]).toEqual([undefined, 'Two questions.'])
  expect(page({})).toContain('<title>Your &lt;visit&gt;</title>')
  // The server checks: its errors are at the questions.
  expect(page({})).toContain('<form method="post" action="/a?b=1&amp;c=2" novalidate>')
  const alert = (state: object) => /role="alert">([^<]*)/.exec(page({}, state))?.[1]
  expect([alert({ errors: { why: 'Too long' } }), alert({ failed: true })]).toEqual([messages.check, messages.failed])
})

test('the thanks are announced, and a form in a frame notifies its page only, with a script of this response', () => {
  const questions = [{ id: 'why', label: 'Why?', type: 'text' }]
  const definition = { id: 'visit', title: 'Visit', questions, submit: 'Send', thanks: 'Thank you' }
  const form = FormDefinition.parse(definition)
  const style = { styles: '', nonce: 'a-nonce', isFramed: true }
  const framed = thanksPage(form, 'https://dining.example', style)
  expect(framed).toContain('<p class="thanks" role="status">Thank you</p>')
  expect(/<script nonce="a-nonce">(.*)<\/script>/.exec(framed)?.[1]).toBe(
    'parent.postMessage({"type":"survey-submitted","id":"visit"}, "https://dining.example")',
  )
  const end = endPage(form, { ...style, isFramed: false })
  expect(end).toContain('<main class="page"><h1>Visit</h1><p class="thanks" role="status">Thank you</p></main>')
  expect(end).not.toContain('<script')
  const notice = noticePage('We could not find this form.', { ...style, isFramed: false })
  expect(notice).toContain('<title>We could not find this form.</title>')
  expect(notice).toContain('<p class="notice" role="alert">We could not find this form.</p>')
})
