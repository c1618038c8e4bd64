import { expect, test } from 'vitest'
import { type Channel, dayAround, isOffered, isOnByDefault, isPushService, mayPushNow, topics } from './rules.ts'

test('ACCT-030 BON-029 by default email says what would otherwise be lost and what is rare, and push everything', () => {
  const on = (channel: Channel) => topics.filter((topic) => isOnByDefault(topic, channel))
  expect(on('email')).toEqual(['bonusEarned', 'balanceAdjusted', 'vipReached', 'reviewDue', 'cardExpires'])
  expect(on('push')).toEqual([...topics])
})

test('only push services of browsers are called, over HTTPS, without credentials and at their own port', () => {
  const called = [
    'https://fcm.googleapis.com/fcm/send/x',
    'https://updates.push.services.mozilla.com/wpush/v2/x',
    'https://push.services.mozilla.com/x',
    'https://wns2-par02p.notify.windows.com/w/?token=x',
    'https://web.push.apple.com/x',
    'https://push.apple.com/x',
    'https://fcm.googleapis.com:443/x',
  ]
  for (const endpoint of called) expect([endpoint, isPushService(endpoint)]).toEqual([endpoint, true])
  const others = [
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com:8443/x',
    'https://user@fcm.googleapis.com/x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://evil-fcm.googleapis.com/x',
    'https://evilpush.apple.com/x',
    'https://push.apple.com.evil.example/x',
    'https://notify.windows.com.evil.example/x',
    'https://127.0.0.1/x',
    'fcm.googleapis.com',
    '',
  ]
  for (const endpoint of others) expect([endpoint, isPushService(endpoint)]).toEqual([endpoint, false])
})

test('an own push service is called at exactly its host and port, without credentials', () => {
  const own = ['localhost:4000']
  const allowed = (endpoint: string) => isPushService(endpoint, own)
  expect([allowed('http://localhost:4000/x'), allowed('https://localhost:4000/x')]).toEqual([true, true])
  expect([allowed('http://localhost:4001/x'), allowed('http://localhost/x')]).toEqual([false, false])
  expect([allowed('http://user@localhost:4000/x'), allowed('ftp://localhost:4000/x')]).toEqual([false, false])
  expect(isPushService('http://localhost:4000/x')).toBe(false)
})

test('pushes wait from ten at night to eight in the morning of the member, except about a card use', () => {
  const at = (time: string, zone = 'America/New_York') => mayPushNow('rewardPosted', new Date(time), zone)
  // New York is four hours behind UTC in July.
  expect([at('2026-07-01T11:59:59Z'), at('2026-07-01T12:00:00Z')]).toEqual([false, true])
  expect([at('2026-07-02T01:59:59Z'), at('2026-07-02T02:00:00Z')]).toEqual([true, false])
  expect([at('2026-07-01T04:01:00Z'), at('2026-07-01T04:01:00Z', 'Asia/Tokyo')]).toEqual([false, true])
  expect(mayPushNow('mealSeen', new Date('2026-07-01T04:01:00Z'), 'America/New_York')).toBe(true)
})

test('BON-029 ACCT-030 members are offered only the notifications that their program can send', () => {
  const program = {
    awardsNeedReview: false,
    hasVIP: false,
    hasReservationBonus: false,
    bonuses: [] as readonly unknown[],
  }
  const offered = (over: Partial<typeof program>) =>
    topics.filter((topic) => isOffered(topic, { ...program, ...over }) && !isOffered(topic, program))
  expect(topics.filter((topic) => isOffered(topic, program))).toEqual([
    'mealSeen',
    'rewardPosted',
    'balanceAdjusted',
    'cardExpires',
  ])
  expect(offered({ awardsNeedReview: true })).toEqual(['reviewDue'])
  expect(offered({ hasVIP: true })).toEqual(['vipReached'])
  expect(offered({ hasReservationBonus: true })).toEqual(['bonusEarned'])
  expect(offered({ bonuses: [{}] })).toEqual(['bonusEarned'])
})

test('ACCT-031 the day for which emails are counted, and the morning after it, are those of the program', () => {
  const around = (at: string, zone = 'America/New_York') => {
    const { began, nextMorning } = dayAround(new Date(at), zone)
    return [began.toISOString(), nextMorning.toISOString()]
  }
  // New York is four hours behind UTC in July, and five from November 1.
  expect(around('2026-07-02T03:59:59Z')).toEqual(['2026-07-01T04:00:00.000Z', '2026-07-02T12:00:00.000Z'])
  expect(around('2026-07-02T04:00:00Z')).toEqual(['2026-07-02T04:00:00.000Z', '2026-07-03T12:00:00.000Z'])
  expect(around('2026-10-31T12:00:00Z')).toEqual(['2026-10-31T04:00:00.000Z', '2026-11-01T13:00:00.000Z'])
  expect(around('2026-07-02T03:59:59Z', 'Asia/Tokyo')).toEqual(['2026-07-01T15:00:00.000Z', '2026-07-02T23:00:00.000Z'])
})
