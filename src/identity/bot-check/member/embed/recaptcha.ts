import { maxNetworkErrors, pollIntervalMs, solveTimeoutMs } from '../../rules.ts'
import { BotCheckError } from './bot-check-solver.ts'

interface Grecaptcha {
  render(element: HTMLElement, options: Record<string, unknown>): number
  execute(widget: number): void
  reset(widget: number): void
}

declare global {
  interface Window {
    grecaptcha?: Grecaptcha
  }
}

export interface RecaptchaSettings {
  siteKey: string
  script: string
}

/**
 * The invisible reCAPTCHA. Polls for its script every half second; loading is retried up to ten times. Rejections carry
 * copy keys.
 */
export async function createRecaptchaSolver({ siteKey, script }: RecaptchaSettings) {
  const grecaptcha = await loadWithRetry(script)
  const element = document.body.appendChild(document.createElement('div'))
  let pending: { resolve: (token: string) => void; reject: (error: Error) => void } | null = null
  const widget = grecaptcha.render(element, {
    sitekey: siteKey,
    size: 'invisible',
    callback: (token: string) => pending?.resolve(token),
    'error-callback': () => pending?.reject(new BotCheckError('bot.not_ready')),
    'expired-callback': () => pending?.reject(new BotCheckError('bot.required')),
  })
  return {
    getToken: () =>
      new Promise<string>((resolve, reject) => {
        pending = { resolve, reject }
        // Closing the challenge fires no event, so the form must not wait indefinitely.
        setTimeout(() => reject(new BotCheckError('bot.required')), solveTimeoutMs)
        void grecaptcha.execute(widget)
      }),
    reset: () => grecaptcha.reset(widget),
  }
}

async function loadWithRetry(address: string): Promise<Grecaptcha> {
  for (let errors = 0; ; ) {
    try {
      if (!isReady(window.grecaptcha)) await load(address)
      return await waitUntilReady()
    } catch (error) {
      if (error !== networkError) throw error
      if (++errors >= maxNetworkErrors) throw new BotCheckError('bot.gave_up')
      await pause()
    }
  }
}

// The loaded script loads further parts of itself.
async function waitUntilReady(): Promise<Grecaptcha> {
  for (let polls = 0; polls < maxPolls; polls++) {
    if (isReady(window.grecaptcha)) return window.grecaptcha
    await pause()
  }
  throw new BotCheckError('bot.not_ready')
}

const maxPolls = 20
const networkError = new Error('network')
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, pollIntervalMs))
const isReady = (found: Grecaptcha | undefined): found is Grecaptcha => typeof found?.render === 'function'

function load(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.async = true
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(networkError)
    }
    document.head.append(script)
  })
}
