import type { FairPool } from './fair-pool.ts'

/** Maximum connections per role and process: four processes fit into PostgreSQL's default limit of 100. */
export const poolSizes = { app: 10, console: 3, vault: 3, forms: 2, jobs: 2 } as const

/** Connections of a pool, for metrics. */
export interface PoolUse {
  pool: string
  total: number
  idle: number
  /** Callers waiting for a connection. */
  waiting: number
}

interface Watched {
  name: string
  pool: FairPool
}

const watched = new Set<Watched>()

/** Adds a pool to the metrics of this process. Returns a function that removes it. */
export function watchPool(name: string, pool: FairPool): () => void {
  const entry = { name, pool }
  watched.add(entry)
  return () => watched.delete(entry)
}

/** Returns the use of every open pool of this process. */
export function readPoolUse(): PoolUse[] {
  return [...watched].map(({ name, pool }) => ({
    pool: name,
    total: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.callsWaiting,
  }))
}
