import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'

// Playwright's list, which ours replaces (chromiumSwitches.ts of playwright-core), and one more feature: after each
// navigation Chromium starts a process for the next one, which a journey's few pages seldom use. That takes a tenth of a
// run's work.
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
]

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
  `--disable-features=${disabledFeatures}`,
  '--enable-features=NetworkServiceInProcess2,CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies',
]

/** Returns the browser installed by `npm ci`, or the one in CHROMIUM. Downloads nothing. */
export async function chromiumPath(): Promise<{ executablePath: string; args: string[] }> {
  const named = process.env.CHROMIUM
  return { executablePath: named && existsSync(named) ? named : await chromium.executablePath(), args }
}
