import { expect } from 'vitest'
import type { CallSpec } from '../../src/platform/call.ts'

interface Response {
  method: string
  url: string
  status: number
  contentType: string | undefined
  text: string
}

/**
 * Fails when the response of a call has fields that its schema does not name, or lacks some. The server removes such
 * fields from most responses; a response that it sends as serialized is compared only here.
 */
export function expectDeclared(calls: readonly CallSpec[], response: Response): void {
  const call = findCall(calls, response)
  const isSuccess = call !== undefined && response.status === (call.status ?? 200)
  if (!isSuccess || !response.contentType?.startsWith('application/json')) return
  const sent = JSON.parse(response.text)
  expect(sent, `response of ${call.id}`).toEqual(call.reply.parse(sent))
}

/** Returns the call with the path of a URL; a path without parameters has precedence, as in the router. */
function findCall(calls: readonly CallSpec[], { method, url }: Response): CallSpec | undefined {
  const path = url.split('?')[0] as string
  const candidates = calls.filter((call) => call.method === method)
  return candidates.find((call) => call.path === path) ?? candidates.find((call) => patternOf(call).test(path))
}

const patternOf = ({ path }: CallSpec) => new RegExp(`^${path.replaceAll('.', '[.]').replace(/:\w+/g, '[^/]+')}$`)
