import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.{ts,tsx}',
      'vault/**/*.test.ts',
      'forms/**/*.test.ts',
      'id/**/*.test.ts',
      'scripts/**/*.test.ts',
      'tests/**/*.test.ts',
    ],
    env: { NODE_ENV: 'test' },
    // Nothing here is judged by the clock; this only ends what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
})
