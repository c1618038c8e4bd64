import { defineConfig } from 'vitest/config'

/** The tests that `npm run test:mutants` runs against each mutant: fast, pure, and without a database. */
export default defineConfig({
  test: {
    include: [
      'src/**/rules.test.ts',
      'src/platform/{time,money}.test.ts',
      'src/programs/partners/{rates,theme-contrast}.test.ts',
      'src/dining/merchants/search/*.test.ts',
      'tests/dining/merchant-index.test.ts',
      'tests/rewards/{rules,offers,fold,fold-refunds,explain}.test.ts',
    ],
    env: { NODE_ENV: 'test' },
    setupFiles: 'tests/support/mutants-setup.ts',
    testTimeout: 300_000,
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
  },
})
