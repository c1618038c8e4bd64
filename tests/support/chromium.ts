import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'

// Its own list of flags is for a cloud function: it switches site isolation and web security off, which we test.
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--no-first-run',
]

/** The browser that came with `npm ci`, or the one CHROMIUM names. Nothing is downloaded. */
export async function chromiumPath(): Promise<{ executablePath: string; args: string[] }> {
  const named = process.env.CHROMIUM
  return { executablePath: named && existsSync(named) ? named : await chromium.executablePath(), args }
}
