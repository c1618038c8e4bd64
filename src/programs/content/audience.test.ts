import { expect, test } from 'vitest'
import { chooseByState, isFor, userState } from './audience.ts'

test('HOME-010 content is chosen by the state of the visitor', () => {
  expect(userState(null)).toBe('anonymous')
  expect(userState({ memberType: 'NonCardMember', tierLevel: 'VIP' })).toBe('nonCard')
  expect(userState({ memberType: 'EnrolledCardMember', tierLevel: 'VIP' })).toBe('tier3')
  const entries = [
    { user_states: ['default'], n: 1 },
    { user_states: ['tier3'], n: 2 },
  ]
  expect(chooseByState(entries, 'tier3')?.n).toBe(2)
  expect(chooseByState(entries, 'tier0')?.n).toBe(1)
})

test('HOME-010 a known visitor who has not activated has a state of its own, and a closed account another', () => {
  const known = (tierLevel: string, memberType = 'EnrolledCardMember') => userState(null, { memberType, tierLevel })
  expect([known('NonActivated'), known('OptedIn')]).toEqual(['tier1', 'known'])
  // Also before signing in; the account of a member who has not activated cannot be closed.
  expect(known('VIP', 'ClosedAccountMember')).toBe('closed')
  const vip = { memberType: 'EnrolledCardMember', tierLevel: 'VIP' }
  expect(userState(vip, { ...vip, tierLevel: 'NonActivated' })).toBe('tier3')
  expect(userState({ ...vip, memberType: 'ClosedAccountMember' })).toBe('closed')
  expect(userState({ ...vip, tierLevel: 'Unknown' })).toBe('default')
})

test('a state that the program does not distinguish gets the default entry, else the first', () => {
  const entries = [
    { user_states: ['anonymous'], n: 1 },
    { user_states: ['tier3'], n: 2 },
    { user_states: ['default'], n: 3 },
  ]
  const chosen = (state: string, copyStates?: string[]) => chooseByState(entries, state, copyStates)?.n
  expect([chosen('tier3', ['tier3', 'closed']), chosen('tier3', ['closed']), chosen('closed', ['closed'])]).toEqual([
    2, 3, 3,
  ])
  expect(chooseByState(entries.slice(0, 2), 'closed')?.n).toBe(1)
})

test('an item without states is for everyone', () => {
  expect([isFor([], 'closed'), isFor(['closed', 'known'], 'known'), isFor(['closed'], 'known')]).toEqual([
    true,
    true,
    false,
  ])
})
