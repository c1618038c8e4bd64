import { HTMLElement as DomElement, Window } from 'happy-dom'

// What the DOM of page-dom.ts has beyond happy-dom, so that the app finds what it uses of a browser.

/** Globals of a browser. Those that Node has too are replaced where the DOM requires objects of its own. */
const globals = [
  ...'window document navigator location history localStorage sessionStorage getComputedStyle matchMedia'.split(' '),
  ...'requestAnimationFrame cancelAnimationFrame scrollTo MutationObserver ResizeObserver'.split(' '),
  ...'Node Element HTMLElement HTMLInputElement HTMLTextAreaElement HTMLSelectElement HTMLButtonElement'.split(' '),
  ...'HTMLAnchorElement HTMLFormElement HTMLDialogElement HTMLIFrameElement HTMLImageElement SVGElement'.split(' '),
  ...'DocumentFragment ShadowRoot NodeFilter Range Selection Text CSS DOMParser FormData Blob File FileList'.split(' '),
  ...'Event CustomEvent UIEvent MouseEvent KeyboardEvent PointerEvent InputEvent FocusEvent MessageEvent'.split(' '),
  ...'PopStateEvent StorageEvent DataTransfer FileReader'.split(' '),
]

/** Undoes `replaceGlobals`. A closed page keeps them until the next one, because its last work needs them. */
let restore = () => {}

export function restoreGlobals(): void {
  restore()
  restore = () => {}
}

export interface WindowOptions {
  url: string
  width: number
  fetch: typeof fetch
  /**
   * Returns where the device is, for the options of a request, or nothing if it cannot tell; without it no page is allowed
   * to know.
   */
  position?: ((options: PositionOptions) => { latitude: number; longitude: number } | undefined) | undefined
  /** How the browser identifies itself, to scripts and when it requests documents. */
  userAgent?: string | undefined
  /** Called with the address of a document that the page asks the browser to load: this DOM loads none. */
  onLeave: (url: string) => void
}

export interface PageWindow {
  window: Window
  /** Resolves when React and what waits for an idle browser have ended. */
  settle(): Promise<void>
}

/** Creates a window and makes it that of the process, until the next one or `restoreGlobals`. */
export function openWindow({ url, width, fetch, position, userAgent, onLeave }: WindowOptions): PageWindow {
  const window = new Window({
    url,
    width,
    height: 720,
    settings: {
      ...(userAgent && { navigator: { userAgent } }),
      disableIframePageLoading: true,
      disableCSSFileLoading: true,
      disableJavaScriptFileLoading: true,
      navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true },
    },
  })
  restoreGlobals()
  restore = replaceGlobals(window, fetch)
  completeDialogs(window)
  placeDevice(window, position)
  watchLocation(window, onLeave)
  const sendBeacon = (address: string, body: string) => {
    void fetch(address, { method: 'POST', body }).catch(() => {})
    return true
  }
  Object.defineProperty(window.navigator, 'sendBeacon', { value: sendBeacon })
  let waiting = 0
  const requestIdleCallback = (work: () => void) => {
    waiting++
    setImmediate(() => {
      waiting--
      work()
    })
  }
  Object.assign(window, { fetch, requestIdleCallback })
  return {
    window,
    async settle() {
      do await nextTurns()
      while (waiting > 0)
    },
  }
}

/** Lets React's scheduler, which works in such turns, end what it has begun. */
export async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((done) => setImmediate(done))
}

/** Replaces the globals of a browser by those of a window; returns a function that undoes it. */
function replaceGlobals(window: Window, fetch: typeof globalThis.fetch): () => void {
  const own = {
    ...Object.fromEntries(globals.map((name) => [name, window[name as keyof Window]])),
    // Everything is in view.
    IntersectionObserver: class {
      report: (entries: unknown[]) => void
      isObserving = true
      constructor(report: (entries: unknown[]) => void) {
        this.report = report
      }
      observe(target: unknown) {
        queueMicrotask(() => {
          if (this.isObserving) this.report([{ isIntersecting: true, intersectionRatio: 1, target }])
        })
      }
      unobserve() {}
      disconnect() {
        this.isObserving = false
      }
    },
    EventSource: class extends EventTarget {
      close() {}
    },
    fetch,
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

// This DOM has no popovers: nothing is hidden by styles here.
Object.assign(DomElement.prototype, { hidePopover() {} })

// In browsers, what is not shown gets no focus.
const { focus } = DomElement.prototype
DomElement.prototype.focus = function focusIfShown(this: DomElement) {
  if (!this.closest('dialog:not([open]), [hidden]')) focus.call(this)
}

/** Lets pages ask where the device is: this DOM has no positions. */
function placeDevice({ navigator }: Window, position: WindowOptions['position']): void {
  type Listener = (response: unknown) => void
  const getCurrentPosition = (found: Listener, failed: Listener, options: PositionOptions) => {
    const coords = position?.(options)
    setTimeout(() => (coords ? found({ coords }) : failed({ code: 1, message: 'denied' })))
  }
  const query = async () => ({ state: position ? 'granted' : 'denied' })
  Object.defineProperty(navigator, 'geolocation', { value: { getCurrentPosition } })
  Object.defineProperty(navigator, 'permissions', { value: { query } })
}

function watchLocation(window: Window, onLeave: (url: string) => void): void {
  const define = (name: string, value: unknown) => Object.defineProperty(window.location, name, { value })
  define('assign', onLeave)
  define('replace', onLeave)
  define('reload', () => onLeave(window.location.href))
  // This DOM passes links to documents, that is those that the app leaves to the browser, to this method.
  const open = (url: string, target: string) => {
    if (target === '_self' && !url.includes('#')) onLeave(url)
  }
  Object.defineProperty(window, 'open', { value: open })
}
