import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'

// Its own list of flags is for a cloud function: it disables site isolation and web security, which we test.
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--no-first-run',
  // Fewer processes take less work. Pages keep their own, which site isolation separates.
  '--in-process-gpu',
  // A page is open too briefly to gain from optimized code, and small enough for one raster thread.
  '--js-flags=--no-opt',
  '--num-raster-threads=1',
  // This list replaces Playwright's, so it repeats its two features.
  '--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies',
]

/** Returns the browser installed by `npm ci`, or the one in CHROMIUM. Downloads nothing. */
export async function chromiumPath(): Promise<{ executablePath: string; args: string[] }> {
  const named = process.env.CHROMIUM
  return { executablePath: named && existsSync(named) ? named : await chromium.executablePath(), args }
}
