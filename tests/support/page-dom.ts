import '@testing-library/jest-dom/vitest'
import { configure, within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { Window } from 'happy-dom'
import { createElement } from 'react'
import { expect, onTestFinished, vi } from 'vitest'
import type { ProgramFile } from '../../src/app/web/boot.ts'
import type { PageData } from '../../src/app/web/page-data.ts'
import { startTestApp, type TestApp, visit } from './app.ts'
import { webForTests } from './built-web.ts'
import { startedBefore } from './file-setup.ts'
import type { Visitor } from './members.ts'

// Tests of pages without a browser: the whole app runs in a DOM within this process, against the whole server.
// There is no layout, no style, no frame, and a single document at a time: those are for the journeys.

// `findBy…` waits as long as a busy machine needs. An error lists the roles instead of the whole document.
configure({
  asyncUtilTimeout: 20_000,
  getElementError: (message) => new Error(message?.split('\n\nIgnored nodes')[0] ?? 'no element'),
})

/** Returns an app with pages and the sample restaurants, for all tests of the file. */
export const setUpPages = (env: Record<string, string> = {}): TestApp =>
  startedBefore(
    async () => startTestApp(env, await webForTests(), 'samples'),
    async (app) => {
      await app.stop()
      restoreGlobals()
    },
  )

/** A request of the page to its server. `body` is parsed. */
export interface PageRequest {
  method: string
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
}

/** What a server would respond to a request. Without `status`: 200. `fails`: there is no connection. */
export interface Answer {
  status?: number
  body?: unknown
  fails?: boolean
}

/** Returns an answer instead of the server's, or nothing to ask the server; may wait. */
export type Answering = (request: PageRequest) => Answer | undefined | Promise<Answer | undefined>

export interface OpenOptions {
  /** Who opens the page, with cookies and storage; defaults to a new visitor. */
  visitor?: Visitor
  /** Entries of the local storage, besides those of earlier pages. */
  stored?: Record<string, string>
  /** Whether pop-ups and surveys may show, as in a new browser. */
  popUps?: boolean
  width?: number
  answering?: Answering
  /** Errors that the page may report. */
  tolerated?: RegExp
}

/** Globals of a browser. Those that Node has too are replaced where the DOM requires objects of its own. */
const globals = [
  ...'window document navigator location history localStorage sessionStorage getComputedStyle matchMedia'.split(' '),
  ...'requestAnimationFrame cancelAnimationFrame scrollTo MutationObserver ResizeObserver'.split(' '),
  ...'Node Element HTMLElement HTMLInputElement HTMLTextAreaElement HTMLSelectElement HTMLButtonElement'.split(' '),
  ...'HTMLAnchorElement HTMLFormElement HTMLDialogElement HTMLIFrameElement HTMLImageElement SVGElement'.split(' '),
  ...'DocumentFragment ShadowRoot NodeFilter Range Selection Text CSS DOMParser FormData Blob File FileList'.split(' '),
  ...'Event CustomEvent UIEvent MouseEvent KeyboardEvent PointerEvent InputEvent FocusEvent MessageEvent'.split(' '),
  ...'PopStateEvent StorageEvent DataTransfer'.split(' '),
]

/** Development messages of React about elements and properties that this DOM does not know. */
const unknownToDom = /is unrecognized in this browser|React does not recognize/

const storages = new WeakMap<Visitor, Record<'local' | 'session', Record<string, string>>>()
let current: OpenPage | null = null
let restoreGlobals = () => {}

/**
 * Opens a page as a browser does: requests its document, follows redirects, and runs the app in it. The document of an
 * earlier call ends. After the test the page is closed, and the test fails if the page has reported an error.
 */
export async function openPage(
  app: TestApp,
  partner: string,
  path: string,
  options: OpenOptions = {},
): Promise<OpenPage> {
  await current?.close()
  const visitor = options.visitor ?? visit(app, partner)
  const page = await OpenPage.load(app, partner, path, { ...options, visitor })
  current = page
  onTestFinished(() => page.close())
  return page
}

class OpenPage {
  readonly visitor: Visitor
  readonly user = userEvent.setup({ document })
  /** The requests of this page to its server, in order. */
  readonly requests: PageRequest[]
  /** Errors that the page has reported. */
  readonly errors: string[]
  /** The address of a document that the page has asked the browser to load. */
  left: string | null = null
  readonly #end: () => Promise<void>
  readonly #open: (path: string) => Promise<OpenPage>
  #isClosed = false

  private constructor(
    given: Pick<OpenPage, 'visitor' | 'requests' | 'errors'>,
    open: (path: string) => Promise<OpenPage>,
    end: () => Promise<void>,
  ) {
    this.#open = open
    this.visitor = given.visitor
    this.requests = given.requests
    this.errors = given.errors
    this.#end = end
  }

  static async load(app: TestApp, partner: string, path: string, options: OpenOptions & { visitor: Visitor }) {
    const { visitor, tolerated, answering = () => undefined } = options
    const origin = `http://${partner}.localhost:${app.port}`
    const { address, html } = await requestDocument(visitor, path)
    const data = readPageData(html)
    const program = (await visitor.get(data.program)).json<ProgramFile>()
    const window = new Window({
      url: origin + address,
      width: options.width ?? 1280,
      height: 720,
      settings: {
        disableIframePageLoading: true,
        disableCSSFileLoading: true,
        disableJavaScriptFileLoading: true,
        navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true },
      },
    })
    restoreGlobals()
    restoreGlobals = replaceGlobals(window)
    completeDialogs(window)
    const requests: PageRequest[] = []
    const errors: string[] = []
    const note = (text: string) => {
      if (!unknownToDom.test(text) && !tolerated?.test(text)) errors.push(text)
    }
    const spy = vi.spyOn(console, 'error').mockImplementation((...given) => note(given.map(String).join(' ')))
    window.addEventListener('error', (event) => note(String((event as unknown as ErrorEvent).message)))
    fillStorages(visitor, options)
    globalThis.fetch = createFetch({ origin, visitor, requests, answering })
    Object.assign(window, { fetch: globalThis.fetch })
    Object.defineProperty(window.navigator, 'sendBeacon', {
      value: (url: string, body: string) => {
        void fetch(url, { method: 'POST', body }).catch(() => {})
        return true
      },
    })

    const { createRoot } = await import('react-dom/client')
    const [{ App }, { createBoot }, { createClient }, { setBrowserCsrf }] = await Promise.all([
      import('../../src/app/web/App.tsx'),
      import('../../src/app/web/boot.ts'),
      import('../../src/app/web/client.ts'),
      import('../../src/identity/session/member/embed/csrf.ts'),
    ])
    const { app: given, csrf } = await createClient(createBoot(program, data.boot), data)
    setBrowserCsrf(csrf)
    // The server's HTML has the class names of the build, so the app renders the page again instead of hydrating it.
    const root = createRoot(document)
    root.render(createElement(App, given))
    void csrf.prefetch()

    const open = (next: string) => openPage(app, partner, next, options)
    const page = new OpenPage({ visitor, requests, errors }, open, async () => {
      root.unmount()
      // React and the page end what they have begun. The globals stay until the next page, for timers that still run.
      await new Promise((resolve) => setTimeout(resolve, 20))
      keepStorages(visitor)
      await window.happyDOM.close()
      spy.mockRestore()
    })
    watchLocation(window, (url) => {
      page.left = new URL(url, window.location.href).href.slice(origin.length)
    })
    await vi.waitFor(() => expect(document.documentElement.dataset.scripted).toBe('true'), 20_000)
    return page
  }

  /** Queries of Testing Library on the whole page: `getBy…`, `queryBy…`, `findBy…`. */
  get screen() {
    return within(document.body)
  }

  /** Path and query of the address bar. */
  get address(): string {
    return window.location.pathname + window.location.search
  }

  /** Opens the document that the page has asked for; this page ends. */
  async follow(): Promise<OpenPage> {
    await vi.waitFor(() => expect(this.left).not.toBeNull(), 20_000)
    return this.#open(this.left as string)
  }

  /** Opens another document in the same browser; this page ends. */
  goto(path: string): Promise<OpenPage> {
    return this.#open(path)
  }

  /** Goes back one page, as the browser's button does. */
  back(): void {
    window.history.back()
  }

  /** The calls of one method and path, for example `POST /api/SignIn`. */
  calls(what: string): PageRequest[] {
    return this.requests.filter(({ method, path }) => `${method} ${path.split('?')[0]}` === what)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#end()
    expect(this.errors).toEqual([])
  }
}

export type { OpenPage }

/** Requests a document and follows redirects within the program. */
async function requestDocument(visitor: Visitor, path: string): Promise<{ address: string; html: string }> {
  let address = path
  for (let redirects = 0; redirects < 5; redirects++) {
    const { status, headers, text } = await visitor.get(address, { accept: 'text/html' })
    if (status < 300 || status >= 400) return { address, html: text }
    address = String(headers.location)
  }
  throw new Error(`${path} redirects without end`)
}

function readPageData(html: string): PageData {
  const data = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1]
  if (data === undefined) throw new Error(`not a page: ${html.slice(0, 200)}`)
  return JSON.parse(data)
}

/** Replaces the globals of a browser by those of a window; returns a function that undoes it. */
function replaceGlobals(window: Window): () => void {
  const own = {
    ...Object.fromEntries(globals.map((name) => [name, window[name as keyof Window]])),
    // Everything is in view.
    IntersectionObserver: class {
      report: (entries: unknown[]) => void
      constructor(report: (entries: unknown[]) => void) {
        this.report = report
      }
      observe(target: unknown) {
        queueMicrotask(() => this.report([{ isIntersecting: true, intersectionRatio: 1, target }]))
      }
      unobserve() {}
      disconnect() {}
    },
    EventSource: class extends EventTarget {
      close() {}
    },
    fetch: globalThis.fetch,
  }
  const before = Object.keys(own).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  for (const [name, value] of Object.entries(own))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      else Reflect.deleteProperty(globalThis, name)
    }
  }
}

/** Storage keys and values of a browser that has seen every pop-up and survey. */
const dismissed: Record<string, string> = {
  RN_GENERAL_POPUP: 'welcome,this-is-big,points-plus',
  RN_ANNOUNCEMENT: String(Date.now()),
  RN_SSO_MODAL: String(Date.now()),
  ...Object.fromEntries(
    ['sky-booking', 'gal-pump', 'bea-clarity', 'orc-stay', 'lan-dispatch'].map((id) => [
      `RN_SURVEY_${id}`,
      String(Date.now()),
    ]),
  ),
}

function fillStorages(visitor: Visitor, { popUps = false, stored = {} }: OpenOptions): void {
  const { local, session } = storages.get(visitor) ?? { local: popUps ? {} : dismissed, session: {} }
  for (const [key, value] of Object.entries({ ...local, ...stored })) localStorage.setItem(key, value)
  for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value)
}

function keepStorages(visitor: Visitor): void {
  storages.set(visitor, { local: { ...localStorage }, session: { ...sessionStorage } })
}

interface Connection {
  origin: string
  visitor: Visitor
  requests: PageRequest[]
  answering: Answering
}

function createFetch({ origin, visitor, requests, answering }: Connection): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : String(input), origin)
    const path = url.href.slice(origin.length)
    const { method = 'GET' } = init
    const text = typeof init.body === 'string' ? init.body : undefined
    const request = { method, path, body: text === undefined ? undefined : JSON.parse(text) }
    requests.push(request)
    if (url.origin !== origin) throw new TypeError(`no connection to ${url.origin}`)
    const answer = await answering(request)
    if (answer?.fails) throw new TypeError('no connection')
    if (answer) return Response.json(answer.body ?? null, { status: answer.status ?? 200 })
    const { 'content-type': _, ...headers } = Object.fromEntries(new Headers(init.headers))
    const sent = await visitor.send(method, path, text, headers)
    const isEmpty = [204, 205, 304].includes(sent.status)
    return new Response(isEmpty ? null : sent.text, {
      status: sent.status,
      headers: Object.entries(sent.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    })
  }
}

const focusable = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled)'

/**
 * Modal dialogs as in browsers, which this DOM only approximates: the focus moves into the dialog and back, Escape closes
 * it, and the event follows later.
 */
function completeDialogs(window: Window): void {
  const { prototype } = window.HTMLDialogElement as unknown as { prototype: HTMLDialogElement }
  const before = new WeakMap<HTMLDialogElement, Element | null>()
  prototype.showModal = function showModal() {
    before.set(this, document.activeElement)
    this.open = true
    const first = this.querySelector<HTMLElement>('[autofocus]') ?? this.querySelector<HTMLElement>(focusable)
    first?.focus()
  }
  prototype.close = function close() {
    if (!this.open) return
    this.open = false
    const former = before.get(this)
    if (former?.isConnected) (former as HTMLElement).focus()
    setTimeout(() => this.dispatchEvent(new Event('close')))
  }
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') [...document.querySelectorAll('dialog')].findLast(({ open }) => open)?.close()
  })
}

/** Reports documents that the page asks for: this DOM loads none. */
function watchLocation(window: Window, onLeave: (url: string) => void): void {
  const define = (name: string, value: unknown) => Object.defineProperty(window.location, name, { value })
  define('assign', onLeave)
  define('replace', onLeave)
  define('reload', () => onLeave(window.location.href))
}
