import { isBypassed, isCacheablePage } from '../rules.ts'
import type { FetchingEvent, WorkerScope } from './scope.ts'

/**
 * The service worker. Pages are network-first, with the last seen version offline. Files with content hashes in their
 * names are cache-first.
 */
declare const __BUILD__: string
const scope = globalThis as unknown as WorkerScope

const prefix = 'dineback-'
const pages = `${prefix}pages-${__BUILD__}`
const files = `${prefix}files`
const maxPages = 40
const maxFiles = 300
const offlinePage = '/offline'

scope.addEventListener('install', (event) => {
  event.waitUntil(cachePage(offlinePage).then(() => scope.skipWaiting()))
})

scope.addEventListener('activate', (event) => {
  event.waitUntil(dropOldCaches().then(() => scope.clients.claim()))
})

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== scope.location.origin || isBypassed(url.pathname)) return
  // The server shows a member's view only to a request that a browser marks as a frame's. One that is fetched here has no
  // destination.
  if (request.destination === 'iframe') return
  if (request.mode === 'navigate') event.respondWith(networkFirst(event))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(cacheFirst(event))
  else if (/^\/(theme\.css|logo\.svg|mark\.svg|icons\/|images\/|art\/)/.test(url.pathname))
    event.respondWith(staleWhileRevalidate(event))
})

// The page that was open before the worker was active sends its URL.
scope.addEventListener('message', (event) => {
  const { seen } = (event.data ?? {}) as { seen?: unknown }
  if (typeof seen === 'string' && seen.startsWith('/') && !seen.startsWith('//')) event.waitUntil(cachePage(seen))
})

// Shows push notifications when no page is open.
scope.addEventListener('push', (event) => {
  const { title, body, url, tag } = (event.data?.json() ?? {}) as Record<string, string>
  if (!title) return
  event.waitUntil(scope.registration.showNotification(title, { body, tag, data: url, icon: '/icons/192.png' }))
})

scope.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = String(event.notification.data ?? '/')
  // Opens only pages of this program.
  if (new URL(url, scope.location.href).origin === scope.location.origin) event.waitUntil(scope.clients.openWindow(url))
})

async function dropOldCaches(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(prefix) && name !== pages && name !== files)
  await Promise.all(old.map((name) => caches.delete(name)))
}

async function networkFirst(event: FetchingEvent): Promise<Response> {
  const { pathname, search } = new URL(event.request.url)
  try {
    const response = await fetch(event.request)
    if (mayCache(response, pathname)) event.waitUntil(put(pages, pathname + search, response.clone(), maxPages))
    return response
  } catch (error) {
    const cached = await (await caches.open(pages)).match(pathname + search)
    const offline = cached ?? (await (await caches.open(pages)).match(offlinePage))
    if (!offline) throw error
    return offline
  }
}

async function cacheFirst(event: FetchingEvent): Promise<Response> {
  return (await findFile(event.request)) ?? fetchFile(event)
}

/** Stale-while-revalidate: returns the cached file, and updates it from the network for the next time. */
async function staleWhileRevalidate(event: FetchingEvent): Promise<Response> {
  const cached = await findFile(event.request)
  const fresh = fetchFile(event)
  if (!cached) return fresh
  event.waitUntil(fresh.catch(() => {}))
  return cached
}

const findFile = async (request: Request) => (await caches.open(files)).match(request)

/** Returns a file from the network, and stores it afterwards. */
async function fetchFile(event: FetchingEvent): Promise<Response> {
  const response = await fetch(event.request)
  event.waitUntil(storeFile(event.request, response.clone()))
  return response
}

/** Stores a file. Not stored: errors, and files that do not fit or whose page cancels the request. */
async function storeFile(request: Request, response: Response): Promise<void> {
  if (!response.ok || /no-store/.test(response.headers.get('cache-control') ?? '')) return
  await put(files, request, response, maxFiles).catch(() => {})
}

/** Returns whether a response may be cached on this device: complete, and not of a member. */
function mayCache(response: Response, pathname: string): boolean {
  const control = response.headers.get('cache-control') ?? ''
  return response.status === 200 && !response.redirected && isCacheablePage(pathname) && !/no-store/.test(control)
}

/** Caches a page and the files that it links. */
async function cachePage(address: string): Promise<void> {
  const response = await fetch(address, { credentials: 'same-origin' })
  if (!mayCache(response, address.split('?')[0] ?? '')) return
  const html = await response.clone().text()
  await put(pages, address, response, maxPages)
  const linked = [...html.matchAll(/(?:href|src)="(\/(?:assets\/|theme\.css|logo\.svg|mark\.svg)[^"]*)"/g)].map(
    ([, href]) => href,
  )
  await Promise.all([...new Set(linked)].map((href) => cacheFile(new Request(href as string)).catch(() => {})))
}

async function cacheFile(request: Request): Promise<void> {
  if (!(await findFile(request))) await storeFile(request, await fetch(request))
}

async function put(name: string, key: RequestInfo, response: Response, maxEntries: number): Promise<void> {
  const cache = await caches.open(name)
  await cache.delete(key)
  await cache.put(key, response)
  const keys = await cache.keys()
  await Promise.all(
    keys
      .filter(({ url }) => !url.endsWith(offlinePage))
      .slice(0, Math.max(0, keys.length - maxEntries))
      .map((old) => cache.delete(old)),
  )
}
