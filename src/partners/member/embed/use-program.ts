import { createContext, use } from 'react'
import type { FeatureFlags, PublicConfig } from '../../contract.ts'

/** What every component may know of the program it runs in. */
export interface ProgramFacts {
  config: PublicConfig
  flags: FeatureFlags
  logo: string
  vaultOrigin: string
  stagingTools: boolean
}

export const BootContext = createContext<ProgramFacts | null>(null)

export function useProgram(): ProgramFacts {
  const facts = use(BootContext)
  if (!facts) throw new Error('no BootContext around this component')
  return facts
}

declare module '../../../kit/web/query.ts' {
  interface PageArgs {
    config: PublicConfig
  }
}
