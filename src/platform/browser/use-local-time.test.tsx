import { renderToString } from 'react-dom/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { requestIdle, useIdleTurns } from './use-idle-turn.ts'
import { useLocalTime } from './use-local-time.ts'

function Moments() {
  const [day, moment] = [useLocalTime('day'), useLocalTime('moment')]
  return `${day('2026-03-10T23:30:00Z')} / ${moment('2026-03-10T23:30:00Z')}`
}

test('the server, which does not know the time zone of a visitor, writes UTC and says so beside a time', () => {
  expect(renderToString(<Moments />).replaceAll('\u202f', ' ')).toBe('Mar 10, 2026 / Mar 10, 2026, 11:30 PM UTC')
})

function Turns({ isReady }: { isReady: boolean }) {
  return useIdleTurns(isReady, 3)
}

test('the server renders all of what is ready, and nothing of what becomes ready later', () => {
  expect([renderToString(<Turns isReady />), renderToString(<Turns isReady={false} />)]).toEqual(['3', '0'])
})

test('work waits for an idle browser, at most a second, or a moment where browsers do not say when they are idle', async () => {
  const requestIdleCallback = vi.fn()
  vi.stubGlobal('window', { requestIdleCallback })
  const work = () => {}
  requestIdle(work)
  expect(requestIdleCallback.mock.calls).toEqual([[work, { timeout: 1000 }]])
  vi.stubGlobal('window', {})
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const later = vi.fn()
  requestIdle(later)
  vi.advanceTimersByTime(199)
  expect(later).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(later).toHaveBeenCalledTimes(1)
})
