/**
 * The part of a service worker's global scope that ours uses; TypeScript's own library for workers conflicts with that
 * of pages.
 */
export interface WorkerScope {
  readonly location: Location
  readonly clients: {
    claim(): Promise<void>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: LastingEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchingEvent) => void): void
  readonly registration: { showNotification(title: string, options: object): Promise<void> }
  addEventListener(type: 'push', listener: (event: LastingEvent & { data: { json(): unknown } | null }) => void): void
  addEventListener(
    type: 'notificationclick',
    listener: (event: LastingEvent & { notification: { data: unknown; close(): void } }) => void,
  ): void
  addEventListener(type: 'message', listener: (event: LastingEvent & { data: unknown }) => void): void
}

interface LastingEvent {
  waitUntil(work: Promise<unknown>): void
}

export interface FetchingEvent extends LastingEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
