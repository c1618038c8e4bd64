import { expect, test } from 'vitest'
import type { Member } from '../../../../identity/members/contract.ts'
import { accountLinks, contentLinks, joinTarget, ownLink } from './links.ts'

const member = (memberType: string) => ({ memberType }) as Member

test('the personal link is the account, the next step of joining, or the sign-in of the program', () => {
  const linkOf = (enrollment: 'direct' | 'sso' | 'none', memberType: string | null) =>
    ownLink(enrollment, memberType === null ? null : member(memberType))?.href ?? null
  const types = [null, 'NonCardMember', 'EnrolledCardMember', 'ClosedAccountMember']
  expect(types.map((type) => linkOf('direct', type))).toEqual(['/login', '/add_card', '/account/overview', null])
  expect(types.map((type) => linkOf('sso', type))).toEqual(['/Login', '/join', '/account/overview', null])
  expect(types.map((type) => linkOf('none', type))).toEqual([null, null, null, null])
})

test('SHELL-010 joining starts at the bank of a program with one, as a document of the server', () => {
  expect([joinTarget('sso', null), joinTarget('sso', member('NonCardMember'))]).toEqual([
    { href: '/Login', document: true },
    { href: '/join', document: false },
  ])
  expect([joinTarget('direct', null), joinTarget('direct', member('NonCardMember'))]).toEqual([
    { href: '/join', document: false },
    { href: '/add_card', document: false },
  ])
})

test('the account has a page of reservations in a program with reservations', () => {
  const hrefs = (openTableReservationsEnabled: boolean) =>
    accountLinks({ openTableReservationsEnabled }).map(({ href }) => href)
  expect(hrefs(true).filter((href) => !hrefs(false).includes(href))).toEqual(['/account/reservations'])
})

test('a link of content has its short text on phones, else the long one', () => {
  expect(
    contentLinks([
      { text: 'Terms', url: '/terms' },
      { text_desktop: 'Find a restaurant', text_mobile: 'Find', url: '/search' },
      { text_desktop: 'Earn', text_mobile: '', url: '/earn' },
    ]),
  ).toEqual([
    { text: 'Terms', mobile: 'Terms', url: '/terms' },
    { text: 'Find a restaurant', mobile: 'Find', url: '/search' },
    { text: 'Earn', mobile: 'Earn', url: '/earn' },
  ])
})
