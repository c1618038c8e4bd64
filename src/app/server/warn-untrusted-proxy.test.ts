import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { expect, test, vi } from 'vitest'
import { warnUntrustedProxy } from './warn-untrusted-proxy.ts'

test('the first request through a proxy is warned about, once, with the address of the proxy', () => {
  const server = new EventEmitter()
  const warn = vi.fn()
  warnUntrustedProxy(server as Server, { warn } as never)
  const request = (headers: Record<string, string>) =>
    server.emit('request', { headers, socket: { remoteAddress: '10.0.0.9' } })
  request({})
  expect(warn).not.toHaveBeenCalled()
  request({ 'x-forwarded-for': '203.0.113.7' })
  request({ 'x-forwarded-for': '203.0.113.8' })
  expect(warn.mock.calls).toEqual([[{ proxy: '10.0.0.9' }, expect.stringContaining('TRUSTED_PROXY')]])
})
