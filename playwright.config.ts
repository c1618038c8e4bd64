import { defineConfig } from '@playwright/test'
import { chromiumPath } from './tests/support/chromium.ts'

const { executablePath, args } = await chromiumPath()

export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results/journeys',
  fullyParallel: false,
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  use: {
    browserName: 'chromium',
    actionTimeout: 20_000,
    launchOptions: { executablePath, args },
    trace: 'retain-on-failure',
    locale: 'en-US',
    // One journey is about the service worker; the others are not to be answered by it.
    serviceWorkers: 'block',
  },
})
