import { expect, test } from 'vitest'
import { chooseByState, userState } from './audience.ts'

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
