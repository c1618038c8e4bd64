import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import type { Driver, InputSource } from './driver.ts'
import { requirePrograms } from './installed.ts'
import { locateFrame, takeErrors } from './page-functions.ts'
import { startProgram } from './processes.ts'

/** No command takes long: pages are waited for by polling. The limit only ends hanging tests. */
const timeoutMs = 60_000

/** Sends commands of WebDriver (https://www.w3.org/TR/webdriver2/). */
function connectWebDriver(base: string) {
  // biome-ignore lint/suspicious/noExplicitAny: each command has a result of its own
  return async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<any> => {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(base + path, { method, signal, ...(body && { body: JSON.stringify(body) }) }).catch(
      (cause) => {
        throw new Error(`${method} ${path} ${JSON.stringify(body)?.slice(0, 200)}`, { cause })
      },
    )
    const { value } = (await response.json()) as { value: { error?: string; message?: string } | null }
    if (value?.error) throw new Error(`${path}: ${value.error}: ${value.message}`)
    return value
  }
}

type Call = ReturnType<typeof connectWebDriver>

async function listens(call: Call): Promise<void> {
  for (;;) {
    const isReady = await call('GET', '/status').then(
      () => true,
      () => false,
    )
    if (isReady) return
    await sleep(50)
  }
}

/**
 * Opens a second window without a toolbar, which would not become narrower than 447 pixels, and closes the first.
 */
async function openNarrowWindow(call: Call, session: string): Promise<void> {
  const [first] = await call('GET', `${session}/window/handles`)
  const script = 'window.open("about:blank", "", "popup,width=1280,height=900")'
  await call('POST', `${session}/execute/sync`, { script, args: [] })
  for (;;) {
    const handles: string[] = await call('GET', `${session}/window/handles`)
    const handle = handles.find((each) => each !== first)
    if (handle) {
      await call('DELETE', `${session}/window`)
      await call('POST', `${session}/window`, { handle })
      return
    }
    await sleep(50)
  }
}

/** Maps coordinates of a frame to those of the page. Keys go to the element with the focus in any frame. */
function moved(sources: InputSource[], corner: { x: number; y: number }): InputSource[] {
  return sources.map((source) => {
    if (source.type === 'key') return source
    const actions = source.actions.map((action) =>
      action.type === 'pointerMove'
        ? { ...action, x: Math.round(action.x + corner.x), y: Math.round(action.y + corner.y) }
        : action,
    )
    return { ...source, actions }
  })
}

/** Starts WebKitGTK's own small browser on a virtual display. */
export async function startWebKit(): Promise<Driver> {
  const [driverPath = '', xvfbPath = ''] = requirePrograms('webkit')
  const home = mkdtempSync(join(tmpdir(), 'dineback-webkit-'))
  const env = { ...process.env, HOME: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home }
  const screen = ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp']
  const display = await startProgram(xvfbPath, screen, { env, pattern: /(\d+)\n/, extraOutput: true })
  const port = await freePort()
  const driver = await startProgram(driverPath, [`--port=${port}`], {
    env: { ...env, DISPLAY: `:${display.match[1]}` },
  })
  const call = connectWebDriver(`http://127.0.0.1:${port}`)
  await listens(call)
  const { sessionId, capabilities } = await call('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        // Returns early, so that the first function runs in a new page before most of its scripts.
        pageLoadStrategy: 'none',
        'webkitgtk:browserOptions': { args: ['--automation', '--javascript-can-open-windows-automatically=true'] },
      },
    },
  })
  const session = `/session/${sessionId}`
  await openNarrowWindow(call, session)
  const errors: string[] = []

  /** Runs a function in the selected frame, together with the collection of errors. */
  async function run<A extends unknown[], R>(work: (...args: A) => R, args: A): Promise<R> {
    const script = `const errors = (${takeErrors})(); return { errors, value: (${work})(...arguments) ?? null }`
    const result = await call('POST', `${session}/execute/sync`, { script, args })
    errors.push(...result.errors)
    return result.value
  }

  return {
    version: `WebKitGTK ${capabilities.browserVersion}`,
    errors,
    async open(url) {
      await run(() => Object.assign(window, { isLeft: true }) && null, [])
      await call('POST', `${session}/url`, { url })
      // The address is set before the new document exists.
      while (await run(() => 'isLeft' in window, []).catch(() => true)) await sleep(5)
    },
    async evaluate(work, args, frame) {
      if (frame === undefined) return run(work, args)
      const selector = `iframe[title=${JSON.stringify(frame)}]`
      const id = await call('POST', `${session}/element`, { using: 'css selector', value: selector })
      await call('POST', `${session}/frame`, { id })
      try {
        return await run(work, args)
      } finally {
        await call('POST', `${session}/frame`, { id: null })
      }
    },
    async perform(sources, frame) {
      const corner = frame === undefined ? null : await run(locateFrame, [frame])
      await call('POST', `${session}/actions`, { actions: corner ? moved(sources, corner) : sources })
    },
    async resize(width, height) {
      await call('POST', `${session}/window/rect`, { x: 0, y: 0, width, height })
    },
    async screenshot() {
      return Buffer.from(await call('GET', `${session}/screenshot`), 'base64')
    },
    async close() {
      await call('DELETE', session)
      await driver.stop()
      await display.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
