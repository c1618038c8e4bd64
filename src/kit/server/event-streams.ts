import type { ServerResponse } from 'node:http'

const eventStreams = new WeakSet<ServerResponse>()

/** Exempts a response from the time limit of responses. The caller limits how long it lasts. */
export function markEventStream(response: ServerResponse): void {
  eventStreams.add(response)
}

export const isEventStream = (response: ServerResponse) => eventStreams.has(response)
