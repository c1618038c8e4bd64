import type { ServerResponse } from 'node:http'

const eventStreams = new WeakSet<ServerResponse>()

/** Exempts a response from the response time limit. The caller limits its duration. */
export function markEventStream(response: ServerResponse): void {
  eventStreams.add(response)
}

export const isEventStream = (response: ServerResponse) => eventStreams.has(response)
