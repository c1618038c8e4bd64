import { join } from 'node:path'
import { buildWeb } from '../../scripts/build.ts'
import { plainPath } from '../../scripts/plain-path.ts'
import type { WebBundle } from '../../src/app/server/pages.ts'
import { loadProductionBundle } from '../../src/app/server/production-bundle.ts'

/** Returns the web code for tests of pages: the build in `dist`, rebuilt only when its sources have changed. */
export async function webForTests(): Promise<WebBundle> {
  await buildWeb(() => {})
  return (await loadProductionBundle(join(plainPath(process.cwd()), 'dist'))).web
}
