import { networksOf } from '../../platform/http/network.ts'

/** What a turn is for: a request, which most often only needs a cached response, or a page that must be rendered. */
export type TurnKind = 'request' | 'page'

export interface Turn {
  /** Returns whether the work is still in this turn: it has not waited for anything outside the process. */
  isCurrent(): boolean
}

/** What a network has used: its time on the main thread, in milliseconds of a clock that all networks share. */
interface Account {
  used: number
  /** Turns of this network that have not ended. */
  open: number
  /** The network's multiple of the share of others; see `networksOf`. */
  times: number
}

interface Waiting {
  network: string
  accounts: Account[]
  requests: Entry[]
  pages: Entry[]
  /** Requests since the last page that waited behind them. */
  requestsInARow: number
}

interface Entry {
  start: (turn: Turn) => void
}

/** How much more a network may have used whose requests go before the pages of others: a page takes about as long. */
const pageMs = 5
/** Requests of a network that go before its pages, so that many requests delay its pages but do not stop them. */
const maxRequestsInARow = 16
/** How long short turns follow each other before the sockets are read again. */
const sliceMs = 0.5
const maxPerSlice = 16
/** Number of accounts from which those that make no difference are deleted. */
const minSweep = 1_000

/**
 * Divides the time of the main thread between networks (start-time fair queuing). Work that waits for a turn starts in a
 * task of its own, and the next turn goes to the network that has used the least time. After half a millisecond of turns,
 * requests which have arrived meanwhile are read first. A network that is alone gets all of the time. One that has
 * requested nothing for a while has no advantage over another such network, and one that has used the thread alone no
 * disadvantage afterwards.
 */
export function createFairTurns(now: () => number = () => performance.now()) {
  const accounts = new Map<string, Account>()
  const waiting = new Map<string, Waiting>()
  /** Where the shared clock is: the lowest use of those that waited for the last turn. */
  let clock = 0
  let sweepAt = minSweep
  let current: { entry: Entry; accounts: Account[]; startedAt: number } | null = null
  /** Turns that wait. */
  let entered = 0
  /** Turns that were scheduled and have not ended, and when the first of them started. */
  let scheduled = 0
  let sliceStart: number | null = null

  function accountsOf(address: string): { network: string; own: Account[] } {
    if (accounts.size >= sweepAt) sweep()
    const networks = networksOf(address)
    const own = networks.map(({ network, times }) => {
      const known = accounts.get(network)
      if (known) return known
      const account = { used: clock, open: 0, times }
      accounts.set(network, account)
      return account
    })
    return { network: networks[0].network, own }
  }

  /** Deletes accounts without a difference to a new one. */
  function sweep(): void {
    for (const [network, account] of accounts) if (account.open === 0 && account.used <= clock) accounts.delete(network)
    sweepAt = Math.max(minSweep, 2 * accounts.size)
  }

  /** Schedules turns for those that wait, which start after the same look at the sockets, one after another. */
  function schedule(): void {
    while (scheduled < Math.min(maxPerSlice, entered)) {
      scheduled++
      setImmediate(startNext)
      // What a turn starts, also in microtasks, runs before this.
      setImmediate(endTurn)
    }
  }

  function startNext(): void {
    const startedAt = now()
    sliceStart ??= startedAt
    if (startedAt - sliceStart > sliceMs) return
    let best: Waiting | null = null
    let least = Number.POSITIVE_INFINITY
    for (const each of waiting.values()) {
      const needs = usedBy(each.accounts) + (each.requests.length === 0 ? pageMs : 0)
      if (needs >= least) continue
      best = each
      least = needs
    }
    if (!best) return
    clock = Math.max(clock, usedBy(best.accounts))
    const isPage = best.pages.length > 0 && (best.requests.length === 0 || best.requestsInARow >= maxRequestsInARow)
    best.requestsInARow = isPage || best.pages.length === 0 ? 0 : best.requestsInARow + 1
    const entry = (isPage ? best.pages : best.requests)[0] as Entry
    remove(best, entry)
    current = { entry, accounts: best.accounts, startedAt }
    entry.start({ isCurrent: () => current?.entry === entry })
  }

  function endTurn(): void {
    scheduled--
    if (current) {
      const tookMs = now() - current.startedAt
      for (const account of current.accounts) {
        account.used += tookMs / account.times
        account.open--
      }
      current = null
    }
    if (scheduled > 0) return
    sliceStart = null
    schedule()
  }

  /** Returns whether the turn had not started. */
  function remove(from: Waiting, entry: Entry): boolean {
    const list = from.requests.includes(entry) ? from.requests : from.pages
    const index = list.indexOf(entry)
    if (index < 0) return false
    list.splice(index, 1)
    entered--
    if (from.requests.length + from.pages.length === 0) waiting.delete(from.network)
    return true
  }

  return {
    /**
     * Calls `start` when it is the turn of the network of this address. Returns a function that gives the turn up; after
     * the start it does nothing.
     */
    enter(address: string, kind: TurnKind, start: (turn: Turn) => void): () => void {
      const { network, own } = accountsOf(address)
      const from = waiting.get(network) ?? { network, accounts: own, requests: [], pages: [], requestsInARow: 0 }
      waiting.set(network, from)
      for (const account of from.accounts) {
        if (account.open === 0) account.used = Math.max(account.used, clock)
        account.open++
      }
      const entry = { start }
      from[kind === 'page' ? 'pages' : 'requests'].push(entry)
      entered++
      schedule()
      return () => {
        if (!remove(from, entry)) return
        for (const account of from.accounts) account.open--
      }
    },
    /** Returns what the network of this address has used; comparable with others. */
    usedBy: (address: string): number => usedBy(accountsOf(address).own),
    /** Number of networks that are remembered. */
    get size() {
      return accounts.size
    },
  }
}

/** Returns what the network that has used the most has used. Called for every network that waits, at every turn. */
function usedBy(accounts: readonly Account[]): number {
  let most = 0
  for (const { used } of accounts) if (used > most) most = used
  return most
}

export type FairTurns = ReturnType<typeof createFairTurns>
