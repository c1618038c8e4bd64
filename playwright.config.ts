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
  // No test depends on timing. The limits only end hanging tests.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  use: {
    browserName: 'chromium',
    actionTimeout: 60_000,
    launchOptions: { executablePath, args },
    // Actions and requests without screenshots, which take a third of the run: `--trace on` adds them.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    screenshot: 'only-on-failure',
    locale: 'en-US',
    // One test is about the service worker; it must not affect the others.
    serviceWorkers: 'block',
  },
})
