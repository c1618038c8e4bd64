import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { markEventStream } from '../../platform/http/event-streams.ts'
import type { HttpContext } from '../../platform/http/register-route.ts'
import { MINUTE, SECOND } from '../../platform/time.ts'
import type { ActivityHub } from './activity-stream.ts'

const heartbeatMs = 20 * SECOND
// Longer than a session's idle limit: the reconnect is authenticated again, so a stream does not keep it signed in.
const maxStreamMs = 20 * MINUTE

/** Turns the response into a stream of `activity` events. Throws error code `tooManyStreams`. */
export function sendActivity(ctx: Ctx, memberId: number, { reply }: HttpContext, hub: ActivityHub): void {
  const { raw } = reply
  const stop = hub.subscribe({
    partnerId: ctx.partnerId,
    memberId,
    sessionId: ctx.actor.sessionId as Buffer,
    onActivity: () => raw.write('event: activity\ndata: {}\n\n'),
    onEnd: () => raw.end(),
  })
  if (!stop) throw new ApiError('tooManyStreams')
  const beat = setInterval(() => raw.write(': still here\n\n'), heartbeatMs)
  const end = setTimeout(() => raw.end(), maxStreamMs)
  raw.on('close', () => {
    clearInterval(beat)
    clearTimeout(end)
    stop()
  })
  raw.on('error', () => {})
  reply.hijack()
  markEventStream(raw)
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string | string[]>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  raw.write('retry: 5000\n\n')
}
