import { expect, test } from 'vitest'
import { FormDefinition } from '../src/programs/partners/form-definition.ts'
import { csvLines } from './csv.ts'

test('a line has time and id of the response, every answer, and each tracking parameter in its column', async () => {
  const questions = [
    { id: 'how', label: 'How?', type: 'multiple', choices: ['Map', 'Friend'] },
    { id: 'why', label: 'Why?', type: 'text' },
    { id: 'ease', label: 'How easy?', type: 'rating', low: 'Hard', high: 'Easy' },
  ]
  const form = FormDefinition.parse({ id: 'visit', title: 'Visit', questions, submit: 'Send', thanks: 'Thank you' })
  const response = {
    id: '0c9a4f7e-0000-4000-8000-000000000001',
    formId: 'visit',
    receivedAt: new Date('2026-03-10T23:30:00.250Z'),
    fieldValues: { ease: '5', how: ['Map', 'Friend'] },
    tracking: {
      partner_code: 'orchard',
      public_id: 'p',
      utm_source: '/search',
      utm_medium: 'web',
      utm_campaign: 'autumn',
    },
  }
  async function* responses() {
    yield response
  }
  expect(await Array.fromAsync(csvLines(form, responses()))).toEqual([
    '\uFEFFreceived_at,response_id,How?,Why?,How easy?,utm_campaign,utm_medium,utm_source,public_id,partner_code\r\n',
    '2026-03-10T23:30:00.250Z,0c9a4f7e-0000-4000-8000-000000000001,"Map; Friend",,5,autumn,web,/search,p,orchard\r\n',
  ])
})
