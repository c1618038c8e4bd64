import type pg from 'pg'

/** The connections of a role that a process opens at most: four processes fit into PostgreSQL's hundred. */
export const poolSizes = { app: 10, console: 3, vault: 4, forms: 3 } as const

/** How many connections a pool has, for metrics. */
export interface PoolUse {
  pool: string
  total: number
  idle: number
  /** Callers that wait for a connection. */
  waiting: number
}

interface Watched {
  name: string
  pool: pg.Pool
}

const watched = new Set<Watched>()

/** Counts a pool of this process in its metrics. Returns how to stop. */
export function watchPool(name: string, pool: pg.Pool): () => void {
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
    waiting: pool.waitingCount,
  }))
}
