import { buildWeb } from '../../scripts/build.ts'
import { builtWeb } from '../../src/app/server/built-web.ts'
import type { WebCode } from '../../src/app/server/pages.ts'

/** Returns the web code for tests of pages: the build in `dist`, rebuilt only when its sources have changed. */
export async function webForTests(): Promise<WebCode> {
  await buildWeb(() => {})
  return builtWeb('dist')
}
