import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { type Network, networksOf } from '../http/network.ts'
import { SECOND } from '../time.ts'

const networksOfWork = new AsyncLocalStorage<readonly Network[]>()

/** Runs `work`, and all that it starts, for the networks of a client's address: they share the connections of each pool. */
export function runForClient<T>(address: string, work: () => T): T {
  return networksOfWork.run(networksOf(address), work)
}

/** The server's own work: jobs, caches, commands. */
const ownWork: readonly Network[] = [{ network: '', times: 1 }]

interface Waiting {
  networks: readonly Network[]
  start: () => void
}

/**
 * A pool whose connections are divided between the networks of clients. A waiting call of the network that holds the
 * fewest is the next one, so that a network with hundreds of requests delays those of others by what is running. A
 * query or a lock that takes long cannot be interrupted: one network therefore never holds the last connections. The
 * server's own work may hold all.
 */
export class FairPool extends pg.Pool {
  readonly #most: number
  readonly #held = new Map<string, number>()
  /** The calls that wait, by narrowest network, in the order of their next turns. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #holders = new WeakMap<pg.PoolClient, readonly Network[]>()
  readonly #timeoutMs: number
  #taken = 0

  constructor(options: pg.PoolConfig & { max: number }) {
    super(options)
    const { max } = options
    this.#most = Math.max(1, max - Math.max(1, Math.floor(max / 5)))
    this.#timeoutMs = options.connectionTimeoutMillis ?? 8 * SECOND
    this.on('release', (_error: unknown, client: pg.PoolClient) => this.#giveBack(client))
  }

  /** Number of calls that wait for a connection. */
  get callsWaiting(): number {
    let all = this.waitingCount
    for (const calls of this.#waiting.values()) all += calls.length
    return all
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | undefined {
    if (!callback) return this.#connect()
    void this.#connectFor(callback)
    return undefined
  }

  async #connectFor(callback: Parameters<pg.Pool['connect']>[0]): Promise<void> {
    let client: pg.PoolClient
    try {
      client = await this.#connect()
    } catch (error) {
      callback(error as Error, undefined, () => {})
      return
    }
    callback(undefined, client, client.release.bind(client))
  }

  async #connect(): Promise<pg.PoolClient> {
    const networks = networksOfWork.getStore() ?? ownWork
    // Who comes later does not overtake those of its own network that wait.
    if (this.#mayStart(networks) && !this.#waiting.has(nameOf(networks))) this.#take(networks)
    else await this.#wait(networks)
    try {
      const client = await super.connect()
      this.#holders.set(client, networks)
      return client
    } catch (error) {
      this.#return(networks)
      throw error
    }
  }

  #wait(networks: readonly Network[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const name = nameOf(networks)
      const entry: Waiting = {
        networks,
        start: () => {
          clearTimeout(timeout)
          resolve()
        },
      }
      const timeout = setTimeout(() => {
        this.#remove(name, entry)
        // As pg says it: the database cannot serve this request now.
        reject(new Error('timeout exceeded when trying to connect'))
      }, this.#timeoutMs)
      const calls = this.#waiting.get(name)
      if (calls) calls.push(entry)
      else this.#waiting.set(name, [entry])
    })
  }

  #remove(name: string, entry: Waiting): void {
    const calls = this.#waiting.get(name) ?? []
    const index = calls.indexOf(entry)
    if (index >= 0) calls.splice(index, 1)
    if (calls.length === 0) this.#waiting.delete(name)
  }

  #mayStart(networks: readonly Network[]): boolean {
    if (this.#taken >= this.options.max) return false
    return networks === ownWork || networks.every(({ network }) => this.#heldBy(network) < this.#most)
  }

  #heldBy(network: string): number {
    return this.#held.get(network) ?? 0
  }

  #take(networks: readonly Network[]): void {
    this.#taken++
    for (const { network } of networks) this.#held.set(network, this.#heldBy(network) + 1)
  }

  #giveBack(client: pg.PoolClient): void {
    const networks = this.#holders.get(client)
    if (!networks) return
    this.#holders.delete(client)
    this.#return(networks)
  }

  #return(networks: readonly Network[]): void {
    this.#taken--
    for (const { network } of networks) {
      const left = this.#heldBy(network) - 1
      if (left > 0) this.#held.set(network, left)
      else this.#held.delete(network)
    }
    this.#startNext()
  }

  #startNext(): void {
    let best: [string, Waiting] | null = null
    let fewest = Number.POSITIVE_INFINITY
    for (const [name, [entry]] of this.#waiting) {
      if (!entry || !this.#mayStart(entry.networks)) continue
      const holds = Math.max(...entry.networks.map(({ network, times }) => this.#heldBy(network) / times))
      if (holds >= fewest) continue
      best = [name, entry]
      fewest = holds
    }
    if (!best) return
    const [name, entry] = best
    this.#remove(name, entry)
    // Networks that hold equally many take turns.
    const others = this.#waiting.get(name)
    if (others && this.#waiting.delete(name)) this.#waiting.set(name, others)
    this.#take(entry.networks)
    entry.start()
  }
}

const nameOf = (networks: readonly Network[]) => networks[0]?.network ?? ''
