import '@testing-library/jest-dom/vitest'
import { configure, within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { expect, onTestFinished, vi } from 'vitest'
import type { ProgramFile } from '../../src/app/web/boot.ts'
import type { PageData } from '../../src/app/web/page-data.ts'
import { startTestApp, type TestApp, visit } from './app.ts'
import { webForTests } from './built-web.ts'
import { startedBefore } from './file-setup.ts'
import type { Visitor } from './members.ts'
import {
  type Connection,
  createFetch,
  fillStorages,
  keepStorages,
  type PageRequest,
  type Responder,
  requestDocument,
  type StorageOptions,
  shareCookies,
} from './page-network.ts'
import { nextTurns, openWindow, restoreGlobals, type WindowOptions } from './page-window.ts'

export type { Responder, StubResponse } from './page-network.ts'

// Tests of pages without a browser: the whole app runs in a DOM within this process, against the whole server.
// There is no layout, no style, no frame, and a single document at a time: those are for the journeys.

// `findBy…` waits as long as a busy machine needs. An error gives the words of the page instead of the whole document.
configure({
  asyncUtilTimeout: 20_000,
  // Wraps `findBy…` and every action of a user. React's strict mode runs the effects of a new component twice, the second
  // time in a later turn: a dialog that was closed in between would open again.
  async asyncWrapper(work) {
    await nextTurns()
    return work()
  },
  getElementError: (message, container) =>
    new Error(`${message?.split('\n\nIgnored nodes')[0] ?? 'no element'}\n\nThe page says: ${wordsOf(container)}`),
})

const wordsOf = (container: Element) =>
  (container.querySelector('main') ?? container).textContent?.replace(/\s+/g, ' ').slice(0, 2000)

/** The app of this worker. Starting one takes longer than most tests. It ends with the worker, and its data with the run. */
let shared: Promise<TestApp> | undefined

/**
 * Returns an app with pages and the sample restaurants, which all files of the worker share: a test creates the members
 * that it needs, and restores what it changes for a whole program.
 */
export const setUpPages = (): TestApp =>
  startedBefore(
    () => {
      shared ??= webForTests().then((web) => startTestApp({}, web, 'samples'))
      return shared
    },
    async () => restoreGlobals(),
  )

export interface OpenOptions extends StorageOptions, Pick<WindowOptions, 'position' | 'userAgent'> {
  /** Who opens the page, with cookies and storage; defaults to a new visitor. */
  visitor?: Visitor
  width?: number
  responder?: Responder
  /** Errors that the page may report. */
  tolerated?: RegExp
}

/** Development messages of React about elements and properties that this DOM does not know. */
const unknownToDom = /is unrecognized in this browser|React does not recognize/

let current: OpenPage | null = null

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
  #end: () => Promise<void>
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
    const { visitor, tolerated, position, userAgent, width = 1280, responder = () => undefined } = options
    const origin = `http://${partner}.localhost:${app.port}`
    const { address, html } = await requestDocument(visitor, path, userAgent)
    const data = readPageData(html)
    const program = (await visitor.get(data.program)).json<ProgramFile>()
    const connection: Connection = { origin, visitor, requests: [], responder, isOpen: true }
    let page: OpenPage | null = null
    const { window, settle } = openWindow({
      url: origin + address,
      width,
      fetch: createFetch(connection),
      position,
      userAgent,
      onLeave: (url) => {
        if (page) page.left = new URL(url, window.location.href).href.slice(origin.length)
      },
    })
    const errors: string[] = []
    const note = (text: string) => {
      if (!unknownToDom.test(text) && !tolerated?.test(text)) errors.push(text)
    }
    const spy = vi.spyOn(console, 'error').mockImplementation((...given) => note(given.map(String).join(' ')))
    window.addEventListener('error', (event) => note(String((event as unknown as ErrorEvent).message)))
    fillStorages(visitor, options)
    shareCookies(visitor)
    const { start } = await import('./page-app.ts')
    const started = await start(program, data)
    const end = async () => {
      connection.isOpen = false
      started.unmount()
      await settle()
      keepStorages(visitor)
      started.stopWaiting()
      await window.happyDOM.close()
      spy.mockRestore()
    }
    const open = (next: string) => openPage(app, partner, next, options)
    page = new OpenPage({ visitor, requests: connection.requests, errors }, open, end)
    await vi.waitFor(() => expect(document.documentElement.dataset.scripted).toBe('true'), 20_000)
    // Effects run in the next turn; the attribute is there before.
    await settle()
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
    // The test runner keeps this object to the end of the file, and must not keep the window with it.
    this.#end = async () => {}
    Reflect.deleteProperty(this, 'user')
    if (current === this) current = null
    expect(this.errors).toEqual([])
  }
}

export type { OpenPage }

function readPageData(html: string): PageData {
  const data = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1]
  if (data === undefined) throw new Error(`not a page: ${html.slice(0, 200)}`)
  return JSON.parse(data)
}
