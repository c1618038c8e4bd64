import { readdirSync, readFileSync } from 'node:fs'
import { ProgramConfig } from '../../src/programs/partners/schemas.ts'

/** Returns the code and the configuration of every sample program. */
export function loadSamplePrograms(): [code: string, config: ProgramConfig][] {
  return readdirSync('programs').map((code) => [
    code,
    ProgramConfig.parse(JSON.parse(readFileSync(`programs/${code}/program.json`, 'utf8'))),
  ])
}
