import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Driver } from './driver.ts'
import { requirePrograms } from './installed.ts'
import { frameAddress, reportPolicyViolations } from './page-functions.ts'
import { startProgram } from './processes.ts'

interface BidiMessage {
  id?: number
  type: 'success' | 'error' | 'event'
  // biome-ignore lint/suspicious/noExplicitAny: each command has a result of its own
  result?: any
  error?: string
  message?: string
  method?: string
  params?: { level: string; text: string }
}

/** Sends commands of WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). */
async function connectBidi(url: string, onEvent: (message: BidiMessage) => void) {
  const socket = new WebSocket(url)
  const waiting = new Map<number, (message: BidiMessage) => void>()
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data) as BidiMessage
    if (message.id === undefined) onEvent(message)
    else waiting.get(message.id)?.(message)
  })
  let last = 0
  // biome-ignore lint/suspicious/noExplicitAny: see above
  return (method: string, params: object): Promise<any> =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, ({ type, result, error, message }) => {
        waiting.delete(id)
        if (type === 'error') reject(new Error(`${method}: ${error}: ${message}`))
        else resolve(result)
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
}

/**
 * Firefox reports an image request that the page itself cancels, such as that of another size after a resize, as an error
 * of the service worker. Images that are shown are checked by the user.
 */
const canceledImage = /^Failed to load ‘[^’]*\/art\/[^’]*’\. A ServiceWorker intercepted the request/

/** Starts the installed Firefox with a new profile. It then disables updates and telemetry by itself. */
export async function startFirefox(): Promise<Driver> {
  const [path = ''] = requirePrograms('firefox')
  const home = mkdtempSync(join(tmpdir(), 'dineback-firefox-'))
  const firefox = await startProgram(
    path,
    ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port', '0'],
    { env: { ...process.env, HOME: home }, pattern: /WebDriver BiDi listening on (ws:\S+)/ },
  )
  const errors: string[] = []
  const call = await connectBidi(`${firefox.match[1]}/session`, ({ method, params }) => {
    if (method !== 'log.entryAdded' || params?.level !== 'error' || canceledImage.test(params.text)) return
    errors.push(params.text)
  })
  const { capabilities } = await call('session.new', { capabilities: {} })
  await call('session.subscribe', { events: ['log.entryAdded'] })
  await call('script.addPreloadScript', { functionDeclaration: String(reportPolicyViolations) })
  const { contexts } = await call('browsingContext.getTree', {})
  const context: string = contexts[0].context

  async function evaluateIn<A extends unknown[], R>(target: string, run: (...args: A) => R, args: A): Promise<R> {
    const { type, result, exceptionDetails } = await call('script.callFunction', {
      functionDeclaration: `(json) => JSON.stringify((${run})(...JSON.parse(json)) ?? null)`,
      arguments: [{ type: 'string', value: JSON.stringify(args) }],
      awaitPromise: false,
      target: { context: target },
    })
    if (type === 'exception') throw new Error(exceptionDetails.text)
    return JSON.parse(result.value)
  }

  async function contextOf(title: string | undefined): Promise<string> {
    if (title === undefined) return context
    const address = await evaluateIn(context, frameAddress, [title])
    const { contexts: found } = await call('browsingContext.getTree', { root: context })
    const frame = found[0].children.find(({ url }: { url: string }) => url === address)
    if (!frame) throw new Error(`the frame ${title} has no document yet`)
    return frame.context
  }

  return {
    version: `Firefox ${capabilities.browserVersion}`,
    errors,
    async open(url) {
      await call('browsingContext.navigate', { context, url, wait: 'interactive' })
    },
    async evaluate(run, args, frame) {
      return evaluateIn(await contextOf(frame), run, args)
    },
    async perform(actions, frame) {
      await call('input.performActions', { context: await contextOf(frame), actions })
    },
    async resize(width, height) {
      await call('browsingContext.setViewport', { context, viewport: { width, height } })
    },
    async screenshot() {
      return Buffer.from((await call('browsingContext.captureScreenshot', { context })).data, 'base64')
    },
    async close() {
      await call('browser.close', {})
      await firefox.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
