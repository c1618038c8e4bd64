import { createRoutes } from '../../src/app/web/routes.tsx'
import type { ProgramConfig } from '../../src/programs/partners/contract.ts'
import { publicConfig } from '../../src/programs/partners/public-config.ts'

/** Returns every address of a program from its own route table; parameters use the given restaurant. */
export function addressesOf(config: ProgramConfig, merchantSlug: string): string[] {
  const paths = createRoutes({ config: publicConfig(config), stagingTools: false }).map(({ path }) => path)
  const values = { ':merchantId': merchantSlug, ':city': 'new-york-ny', ':cuisine': 'japanese', '*': 'anything' }
  const filled = paths.map((path) =>
    Object.entries(values).reduce((text, [name, value]) => text.replace(name, value), path),
  )
  return [...new Set(filled), '/anything', '/search?location=10001']
}
