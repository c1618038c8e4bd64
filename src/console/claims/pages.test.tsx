import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ClaimPage, ClaimsPage, type ClaimView } from './pages.tsx'
import type { ConsoleClaim } from './store.ts'

const claim = {
  publicId: 'a-claim',
  merchantName: 'Kumo',
  dinedOn: '2026-02-28',
  amountCents: 70_00,
  memberName: 'Ada Lovelace',
  memberPublicId: 'a-member',
  note: '',
  receiptType: null,
  cardLastFour: null,
  decision: null,
  decidedBy: null,
  decidedAt: null,
} as unknown as ConsoleClaim

const view: ClaimView = {
  partnerId: 'beacon',
  claim,
  similar: [],
  earningIds: '',
  similarClaims: [],
  anotherMeal: false,
  currency: { currencyType: 'Mile', currencyName: 'miles' },
  suggested: '210',
  unit: 'miles',
  findings: [],
  csrf: '',
  typed: {},
  problem: null,
  toConfirm: null,
}
const page = (over: Partial<ClaimView>, overClaim: Partial<ConsoleClaim> = {}) =>
  renderToStaticMarkup(<ClaimPage {...view} {...over} claim={{ ...claim, ...overClaim }} />)

test('a claim offers its receipt only if it has one', () => {
  expect(page({})).not.toContain('receipt')
  expect(page({}, { receiptType: 'image/png' })).toContain(
    '<a href="/beacon/claims/a-claim/receipt">Receipt (image/png)</a>',
  )
})

test('a decision is shown with its outcome, and with the message to the member if there is one', () => {
  const decided = (decision: object) =>
    /<h2>Decided<\/h2><p>(.*?)<\/p>/.exec(
      page({}, { decision, decidedBy: 'sam@dineback.example', decidedAt: new Date('2026-03-01T23:30:00Z') }),
    )?.[1]
  const by = ', by sam@dineback.example on Mar 1, 2026, 11:30 PM UTC.'
  const said = [
    decided({ code: 'credited', words: '', benefit: 1440 }),
    decided({ code: 'noEvidence', words: 'Sorry.', benefit: 0 }),
  ]
  expect(said.map((text) => text?.replace(/\s/g, ' '))).toEqual([
    `Credited 1,440 miles${by}`,
    `No record of it${by} “Sorry.”`,
  ])
})

test('the field to correct is focused and marked, and no other', () => {
  const marked = (field: 'code' | 'benefit' | 'words' | null) =>
    [
      ...page({ problem: { text: 'Wrong', field } }).matchAll(
        /<(?:select|input|textarea) id="(\w+)"[^>]* autofocus="" aria-invalid="true" aria-describedby="problem"/gi,
      ),
    ].map(([, id]) => id)
  expect([marked('code'), marked('benefit'), marked('words'), marked(null)]).toEqual([
    ['code'],
    ['benefit'],
    ['words'],
    [],
  ])
})

test('each field of a decision has its label, and the reward is confirmed only on request', () => {
  const fields = page({}).matchAll(/<label for="(\w+)">([^<]*)<\/label><\w+ id="\1"[^>]* name="(\w+)"/g)
  expect([...fields].map(([, , label, name]) => [label, name])).toEqual([
    ['Outcome', 'code'],
    ['Reward to credit (miles)', 'benefit'],
    ['Message to the member', 'words'],
  ])
  expect(page({})).not.toContain('name="confirmed"')
  expect(page({ toConfirm: 1440 })).toContain('name="confirmed" value="1440"/> Credit 1,440 miles')
})

test('similar transactions name their restaurant, and a table of them is named by its heading', () => {
  const dinedAt = new Date('2026-02-28T23:30:00Z')
  const transaction = { dinedAt, merchantName: 'Old Oak', cents: 33_00, cardLastFour: '1111', status: 'Not earned' }
  const html = page({ similar: [transaction, { ...transaction, unmatched: 'card' }] as never })
  const rows = [...html.matchAll(/<tr><td>(.*?)<\/td><\/tr>/g)].map(([, cells = '']) =>
    cells.split('</td><td>').map((cell) => cell.replace(/\s/g, ' ')),
  )
  expect(rows).toEqual([
    ['Feb 28, 2026, 11:30 PM', 'Old Oak', '$33.00', '1111', 'Not earned'],
    ['Feb 28, 2026, 11:30 PM', 'Old Oak', '$33.00', '1111', 'Card not linked to any member'],
  ])
  expect(html).toMatch(/<h2 id="similar">.*<section[^>]* aria-labelledby="similar"/)
})

test('a claim is late after the moment of its deadline', () => {
  const now = new Date('2026-03-10T12:00:00Z')
  const isLate = (respondBy: Date) =>
    renderToStaticMarkup(<ClaimsPage partnerId="beacon" claims={[{ ...claim, respondBy }]} now={now} />).includes(
      '<strong>late</strong>',
    )
  expect([isLate(new Date(now.getTime() - 1)), isLate(now)]).toEqual([true, false])
})

test('HIST-024 a meal that may earn already is warned of, marked in the list, and credited only after a confirmation', () => {
  const entry = {
    networkId: 'one',
    dinedAt: new Date('2026-02-28T23:30:00Z'),
    merchantName: 'Kumo',
    cents: 70_00,
    cardLastFour: '0002',
    status: 'Posted',
    unmatched: null,
  }
  const shown = (earning: 'exact' | 'similar' | null, over: Partial<ClaimView> = {}) =>
    page({ similar: [{ ...entry, earning }], earningIds: earning ? 'one' : '', ...over })
  const checkbox = '<input type="checkbox" name="another"'
  for (const [earning, warning, mark] of [
    ['exact', 'This meal has earned', '<strong>This meal</strong>'],
    ['similar', 'This meal has probably earned', '<strong>Probably this meal</strong>'],
  ] as const) {
    const html = shown(earning)
    expect([html.includes(warning), html.includes(mark), html.includes(checkbox)]).toEqual([true, true, true])
  }
  expect([shown(null).includes('has earned'), shown(null).includes(checkbox)]).toEqual([false, false])
  // What is wrong with the form is said instead; what was confirmed stays so only while it is the same.
  const problem = { text: 'Enter a reward.', field: 'benefit' } as const
  expect(shown('exact', { problem })).not.toContain('This meal has earned')
  const isChecked = (another: string) => /name="another"[^>]*checked/.test(shown('exact', { typed: { another } }))
  expect([isChecked('one'), isChecked('one,two')]).toEqual([true, false])
})

test('HIST-024 other claims for a meal like this are named, and what the member said about them', () => {
  const similarClaims = [
    { publicId: 'first', dinedOn: '2026-02-27', amountCents: 68_00, isDecided: true },
    { publicId: 'second', dinedOn: '2026-02-28', amountCents: 71_00, isDecided: false },
  ]
  const html = page({ similarClaims, anotherMeal: true }).replaceAll('<!-- -->', '')
  expect(html).toContain('<a href="/beacon/claims/first">$68.00 on Feb 27, 2026</a>, decided')
  expect(html).toContain('<a href="/beacon/claims/second">$71.00 on Feb 28, 2026</a>, open')
  expect(html).toContain('The member says that this was another meal')
  expect(page({})).not.toContain('Other claims')
})
