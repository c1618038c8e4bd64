import { type ProgramConfig, type PublicConfig, PublicSettings } from './schemas.ts'

const names = Object.keys(PublicSettings.shape) as (keyof PublicConfig)[]

/** Returns the part of the configuration that browsers may see. A setting that is not listed for them stays here. */
export function publicConfig(config: ProgramConfig): PublicConfig {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(config, name) ? [[name, config[name]]] : [])),
  ) as PublicConfig
}
