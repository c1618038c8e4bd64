import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'

/** The browser that came with `npm ci`, or the one CHROMIUM names. Nothing is downloaded. */
export async function chromiumPath(): Promise<{ executablePath: string; args: string[] }> {
  const named = process.env.CHROMIUM
  if (named && existsSync(named))
    return { executablePath: named, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] }
  return {
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, '--disable-background-networking'],
  }
}
