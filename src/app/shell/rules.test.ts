import { expect, test } from 'vitest'
import { announcementCooldownMs, type PopUpFacts, popUpOf } from './rules.ts'

const day = 24 * 60 * 60 * 1000
const everything: PopUpFacts = {
  config: {
    appAnnouncementModal: { title: 'New', body: 'Tables' },
    ssoModal: true,
    enrollmentType: 'sso',
    generalModalType: 'welcome',
  },
  pathname: '/search',
  memberType: null,
  isNativeApp: false,
  isOperator: false,
  needsUpdate: false,
  isBusy: false,
  general: {},
  source: undefined,
  dismissals: { announcement: null, sso: null, general: [] },
  now: 100 * day,
}
const shown = (over: Partial<PopUpFacts>) => popUpOf({ ...everything, ...over })
const dismissals = (over: Partial<PopUpFacts['dismissals']>) => ({ ...everything.dismissals, ...over })

test('SHELL-036 one pop-up shows at a time, in the order update, announcement, sso, general', () => {
  expect(shown({ needsUpdate: true })).toBe('update')
  expect(shown({})).toBe('announcement')
  const announced = dismissals({ announcement: everything.now - 1 })
  expect(shown({ dismissals: announced })).toBe('sso')
  expect(shown({ dismissals: { ...announced, sso: 1 } })).toBe('general')
  expect(shown({ dismissals: { announcement: everything.now, sso: 1, general: ['welcome'] } })).toBeNull()
})

test('ROLE-008 REEN-001 no pop-up shows to a closed account or during an impersonation, except an update', () => {
  for (const announcement of [null, everything.now]) {
    for (const sso of [null, 1]) {
      const over = { dismissals: dismissals({ announcement, sso }) }
      expect(shown({ ...over, memberType: 'ClosedAccountMember' })).toBeNull()
      expect(shown({ ...over, isOperator: true })).toBeNull()
    }
  }
  expect(shown({ memberType: 'ClosedAccountMember', needsUpdate: true })).toBe('update')
})

test('SHELL-034 CONST-012 a dismissed announcement does not show again for 24 hours', () => {
  expect(announcementCooldownMs).toBe(day)
  const dismissed = (ago: number) => shown({ dismissals: dismissals({ announcement: everything.now - ago }) })
  expect(dismissed(day - 1)).not.toBe('announcement')
  expect(dismissed(day)).toBe('announcement')
})

test('SHELL-035 PWA-013 ROLE-008 the announcement does not show in the native app, on Discover, on forms, or to a closed account', () => {
  for (const over of [
    { isNativeApp: true },
    { pathname: '/discover' },
    { pathname: '/login' },
    { pathname: '/join' },
    { memberType: 'ClosedAccountMember' },
  ]) {
    expect(shown(over)).not.toBe('announcement')
  }
  expect(shown({ pathname: '/discovery' })).toBe('announcement')
})

test('SHELL-026 SHELL-027 the sso invitation shows to visitors and members who are still joining, until it is closed or expires', () => {
  const only = (over: Partial<PopUpFacts>) =>
    shown({
      ...over,
      config: { ...everything.config, appAnnouncementModal: undefined, generalModalType: undefined, ...over.config },
    })
  expect(only({})).toBe('sso')
  expect(only({ memberType: 'NonCardMember' })).toBe('sso')
  expect(only({ memberType: 'EnrolledCardMember' })).toBeNull()
  expect(only({ memberType: 'ClosedAccountMember' })).toBeNull()
  expect(only({ dismissals: dismissals({ sso: 1 }) })).toBeNull()
  const until = (date: string) =>
    only({
      config: {
        ...everything.config,
        appAnnouncementModal: undefined,
        generalModalType: undefined,
        ssoModalUntil: date,
      },
    })
  expect(until('1970-04-10')).toBeNull()
  expect(until('1970-04-11')).toBe('sso')
})

test('SHELL-025 SHELL-036 PART-023 a dismissed general pop-up is stored by its type', () => {
  const config = { ...everything.config, appAnnouncementModal: undefined, ssoModal: false }
  expect(shown({ config })).toBe('general')
  expect(shown({ config, dismissals: dismissals({ general: ['welcome'] }) })).toBeNull()
  expect(
    shown({ config: { ...config, generalModalType: 'other' }, dismissals: dismissals({ general: ['welcome'] }) }),
  ).toBe('general')
  expect(shown({ config: { ...config, generalModalType: undefined } })).toBeNull()
  expect(shown({ config, general: null })).toBeNull()
})

test('SHELL-036 a pop-up shows only to its audience', () => {
  const only = (over: Partial<PopUpFacts>) =>
    shown({ ...over, config: { ...everything.config, ssoModal: false, appAnnouncementModal: undefined } })
  expect(only({ general: { audience: 'visitors' } })).toBe('general')
  expect(only({ general: { audience: 'visitors' }, memberType: 'EnrolledCardMember' })).toBeNull()
  expect(only({ general: { audience: 'members' } })).toBeNull()
  expect(only({ general: { audience: 'members' }, memberType: 'EnrolledCardMember' })).toBe('general')
  expect(only({ general: { source: 'EMAIL-NMB' } })).toBeNull()
  expect(only({ general: { source: 'EMAIL-NMB' }, source: 'EMAIL-NMB' })).toBe('general')
  const forMembers = {
    ...everything.config,
    appAnnouncementModal: { title: 'a', body: 'b', audience: 'members' },
  } as const
  expect(shown({ config: forMembers })).not.toBe('announcement')
  expect(shown({ config: forMembers, memberType: 'EnrolledCardMember' })).toBe('announcement')
})

test('SHELL-036 no pop-up shows over a form, a missing page or an error page', () => {
  for (const pathname of [
    '/recover',
    '/recover/confirm',
    '/fix_credentials',
    '/activate',
    '/account/manage_cards',
    '/card_move',
    '/not_found',
    '/error',
  ]) {
    expect([pathname, shown({ pathname })]).toEqual([pathname, null])
  }
  const config = { ...everything.config, enrollmentType: 'direct' } as const
  expect(shown({ pathname: '/', config })).toBeNull()
  expect(shown({ pathname: '/', config, memberType: 'EnrolledCardMember' })).toBe('announcement')
  expect(shown({ isBusy: true })).toBeNull()
  expect(shown({ isBusy: true, needsUpdate: true })).toBe('update')
})

test('only visitors of a program with direct enrollment see no pop-up on the home page', () => {
  const direct = { ...everything.config, enrollmentType: 'direct' } as const
  const home = { pathname: '/', config: direct }
  expect(shown(home)).toBeNull()
  expect(shown({ ...home, memberType: 'EnrolledCardMember' })).toBe('announcement')
  expect(shown({ ...home, pathname: '/search' })).toBe('announcement')
  expect(shown({ ...home, config: everything.config })).toBe('announcement')
})

test('SHELL-035 the announcement is left out on Discover only, and single sign-on is offered where it exists', () => {
  expect([shown({ pathname: '/discover/x' }), shown({ pathname: '/help/discover' })]).toEqual(['sso', 'announcement'])
  const announced = dismissals({ announcement: everything.now })
  const direct = { ...everything.config, enrollmentType: 'direct' } as const
  expect(shown({ dismissals: announced, config: direct })).toBe('general')
})

test('SHELL-034 an announcement that was never dismissed shows at any time', () => {
  expect(shown({ now: 1 })).toBe('announcement')
})
