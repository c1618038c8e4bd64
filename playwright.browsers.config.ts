import { defineConfig } from '@playwright/test'
import { listBrowsers } from './tests/browsers/installed.ts'

// Playwright runs these tests, but its own browsers are not involved.
export default defineConfig({
  testDir: 'tests/browsers',
  outputDir: 'test-results/browsers',
  globalSetup: './tests/support/playwright-run.ts',
  projects: listBrowsers().map(({ browser }) => ({ name: browser })),
  // One server per worker; a browser runs one test at a time.
  workers: 2,
  fullyParallel: true,
  // No test depends on timing. The limits only end hanging tests.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/browsers.json' }]],
})
