import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { FoundMember } from '../../identity/impersonation/service.ts'
import { FindPage, ImpersonationPage, MemberPage, type MemberView } from './pages.tsx'

const joinedAt = new Date('2026-02-28T23:59:00Z')
const found = (over: Partial<FoundMember> = {}) =>
  ({
    id: 1,
    publicId: 'an-id',
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    joinedAt,
    memberType: 'NonCardMember',
    tierLevel: 'OptedIn',
    ...over,
  }) as FoundMember

const view: MemberView = {
  partnerId: 'beacon',
  member: found(),
  impersonations: [],
  mayChange: false,
  csrf: '',
  typed: {},
  problem: null,
}
const memberPage = (over: Partial<MemberView>) => renderToStaticMarkup(<MemberPage {...view} {...over} />)

test('a member’s page says the kind of member, the tier, and the day of joining in UTC', () => {
  const factsOf = (over: Partial<FoundMember>) =>
    /<p>([^<]*@[^<]*)<\/p>/.exec(memberPage({ member: found(over) }))?.[1]?.replace(/\s+/g, ' ')
  expect([
    factsOf({ memberType: 'EnrolledCardMember', tierLevel: 'VIP' }),
    factsOf({ memberType: 'NonCardMember', tierLevel: 'OptedIn' }),
    factsOf({ memberType: 'NonCardMember', tierLevel: 'OptedOut' }),
    factsOf({ memberType: 'ClosedAccountMember', tierLevel: 'NonActivated' }),
  ]).toEqual([
    'ada@example.com · Member · VIP · since Feb 28, 2026',
    'ada@example.com · No card yet · Opted in to emails · since Feb 28, 2026',
    'ada@example.com · No card yet · Opted out of emails · since Feb 28, 2026',
    'ada@example.com · Closed · Not activated · since Feb 28, 2026',
  ])
})

test('earlier impersonations are listed with their start, or with the time at which one was prepared', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 1, 3, hour))
  const row = (started_at: Date | null, may_change: boolean) => ({
    public_id: `${started_at}${may_change}`,
    operator_name: 'Sam',
    reason: 'A question',
    created_at: at(9),
    started_at,
    may_change,
  })
  const impersonations = [row(at(10), true), row(at(11), false), row(null, true)] as never
  const rows = [...memberPage({ impersonations }).matchAll(/<tr><td>(.*?)<\/tr>/g)].map(([, cells = '']) =>
    cells.split(/<\/td>(?:<td>)?/).map((cell) => cell.replace(/\s/g, ' ')),
  )
  expect(rows.map((cells) => [cells[0], cells[3]])).toEqual([
    ['Feb 3, 2026, 10:00 AM', 'Could change'],
    ['Feb 3, 2026, 11:00 AM', 'View only'],
    ['Feb 3, 2026, 9:00 AM', 'Not started'],
  ])
  expect(memberPage({})).not.toContain('Who has viewed this account')
})

test('a search without results says so, and one that was not made says nothing', () => {
  const page = (members: FoundMember[] | null) =>
    renderToStaticMarkup(<FindPage partnerId="beacon" text="ada" problem={null} found={members} maxShown={1} />)
  const says = (members: FoundMember[] | null) => [
    page(members).includes('No member found.'),
    page(members).includes('There are more members.'),
    page(members).split('/beacon/members/').length - 1,
  ]
  expect(says(null)).toEqual([false, false, 0])
  expect(says([])).toEqual([true, false, 0])
  expect(says([found()])).toEqual([false, false, 1])
  expect(says([found(), found({ publicId: 'another' })])).toEqual([false, true, 1])
})

test('a search shows what was typed, and each member found with its state and the day of joining in UTC', () => {
  const members = [
    found({ memberType: 'EnrolledCardMember' }),
    found({ memberType: 'NonCardMember' }),
    found({ memberType: 'ClosedAccountMember' }),
  ]
  const page = renderToStaticMarkup(
    <FindPage partnerId="beacon" text="ada" problem={null} found={members} maxShown={3} />,
  )
  expect(page).toMatch(/<label for="q">[^<]*<\/label><input id="q"[^>]* name="q"[^>]* value="ada"/)
  const rows = [...page.matchAll(/<tr><td><a href="([^"]*)">([^<]*)<\/a><\/td><td>(.*?)<\/td><\/tr>/g)]
  const member = (state: string) => ['/beacon/members/an-id', 'Ada Lovelace', 'ada@example.com', state, 'Feb 28, 2026']
  expect(rows.map(([, href, name, cells]) => [href, name, ...(cells?.split('</td><td>') ?? [])])).toEqual([
    member('Member'),
    member('No card yet'),
    member('Closed'),
  ])
})

test('the frame of a member says whose view it is, reveals no address of the console, and ends with its own id', () => {
  const frame = { name: 'emulation', origin: 'https://dining.example', src: 'https://dining.example/Emulate?token=a' }
  const page = renderToStaticMarkup(
    <ImpersonationPage partnerId="beacon" member={found()} impersonationId="its-id" csrf="a-token" frame={frame} />,
  )
  expect(/<iframe[^>]*>/.exec(page)?.[0]).toBe(
    `<iframe class="look" name="emulation" title="The app as Ada Lovelace sees it" src="${frame.src}" referrerPolicy="no-referrer">`,
  )
  expect(/<form.*<\/form>/.exec(page)?.[0]).toBe(
    '<form id="end" data-origin="https://dining.example" action="/beacon/members/an-id/end" method="post">' +
      '<input type="hidden" name="csrf" value="a-token"/><input type="hidden" name="emulationId" value="its-id"/>' +
      '<button type="submit">End</button></form>',
  )
  expect(page).toContain('<script src="/emulation.js"></script>')
})
