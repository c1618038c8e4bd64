import type { FastifyReply } from 'fastify'
import { expect, test, vi } from 'vitest'
import { clearConsoleSession } from './routes.ts'

test('the cookie of the session is cleared under its name and with the attributes of its scheme', () => {
  const clearCookie = vi.fn()
  const reply = { clearCookie } as unknown as FastifyReply
  clearConsoleSession(reply, 'http')
  clearConsoleSession(reply, 'https')
  expect(clearCookie.mock.calls).toEqual([
    ['console', { path: '/', secure: false }],
    ['__Host-console', { path: '/', secure: true }],
  ])
})
