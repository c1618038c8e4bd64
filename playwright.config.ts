import { defineConfig } from '@playwright/test'
import { chromiumPath } from './tests/support/chromium.ts'
import { journeyWorkers } from './tests/support/journey-servers.ts'
import { memoryFolder } from './tests/support/memory-folder.ts'

const { executablePath, args } = await chromiumPath()
// Chromium's processes share memory by temporary files.
const memory = memoryFolder()
const env = memory === null ? process.env : { ...process.env, TMPDIR: memory }

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
  // A failed journey runs once more with a trace, and counts as failed even if it passes then. Tracing every journey
  // would take a tenth of the run.
  retries: 1,
  failOnFlakyTests: true,
  // No test depends on timing. The limits only end hanging tests.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  use: {
    browserName: 'chromium',
    actionTimeout: 60_000,
    launchOptions: { executablePath, args, env },
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    locale: 'en-US',
    // Another one than that of the server.
    timezoneId: 'America/Chicago',
    // Animations take a twentieth of the run. Journeys about motion ask for it: `withMotion`.
    contextOptions: { reducedMotion: 'reduce' },
    // One test is about the service worker; it must not affect the others.
    serviceWorkers: 'block',
  },
})
