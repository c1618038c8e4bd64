import { defineConfig } from '@playwright/test'
import { chromiumPath } from './tests/support/chromium.ts'
import { journeyWorkers } from './tests/support/journey-servers.ts'

const { executablePath, args } = await chromiumPath()

export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results/journeys',
  globalSetup: './tests/support/playwright-run.ts',
  projects: [
    { name: 'journeys', teardown: 'traces left behind' },
    { name: 'traces left behind', testMatch: '*.teardown.ts' },
  ],
  fullyParallel: true,
  workers: journeyWorkers,
  retries: 0,
  // No journey is judged by the clock. The limits only end what hangs.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  use: {
    browserName: 'chromium',
    actionTimeout: 60_000,
    launchOptions: { executablePath, args },
    // What was done and asked for, without the pictures that cost a third of the run: `--trace on` has them, too.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
    locale: 'en-US',
    // One journey is about the service worker; the others are not to be answered by it.
    serviceWorkers: 'block',
  },
})
