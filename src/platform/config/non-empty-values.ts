export type Env = Record<string, string | undefined>

/** Returns the variables that have a value. An empty one is unset, as the lines of `.env.example` are. */
export const nonEmptyValues = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
