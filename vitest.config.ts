import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { rootSettings } from './scripts/plain-path.ts'
import LongFilesFirst from './tests/support/long-files-first.ts'

const { root, resolve } = rootSettings(import.meta.dirname)

export default defineConfig({
  root,
  resolve: { ...resolve, alias: { '@node-rs/argon2': join(root, 'tests/support/argon2.ts') } },
  test: {
    include: [
      'src/**/*.test.{ts,tsx}',
      'vault/**/*.test.ts',
      'forms/**/*.test.ts',
      'id/**/*.test.ts',
      'scripts/**/*.test.ts',
      'tests/**/*.test.ts',
    ],
    globalSetup: 'tests/support/vitest-run.ts',
    setupFiles: ['as-browser', 'caching-faults', 'one-query-at-a-time'].map((name) => `tests/support/${name}.ts`),
    env: { NODE_ENV: 'test' },
    // No test depends on timing. The limit only ends hanging tests: five hundred kills take long on a busy machine.
    testTimeout: process.env.STRESS === '1' ? 1_800_000 : 300_000,
    hookTimeout: 300_000,
    // One more than cores: tests also wait for servers, processes and time limits.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFilesFirst },
    // Files share a worker: a larger young generation is collected less often.
    execArgv: ['--max-semi-space-size=64'],
    // The modules of the app are loaded once per worker instead of once per file.
    isolate: false,
    // A missing record fails its test instead of being written. `-u` writes it.
    update: 'none',
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
  },
})
