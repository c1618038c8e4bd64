import pg from 'pg'

// A server that had to be started again may listen on another port; connection strings made before name the first one.
const moved = new Map<string, string>()

/** Records that the server which was reached at one local port now listens on another. */
export function noteMove(from: number, to: number): void {
  moved.set(String(from), String(to))
}

/** Returns a connection string with the port at which its server listens now. */
export function presentUrl(url: string): string {
  const parsed = new URL(url)
  const port = parsed.hostname === '127.0.0.1' ? moved.get(parsed.port) : undefined
  if (port === undefined) return url
  parsed.port = port
  return parsed.href
}

/** A client that connects to where its server listens now. Give it to a pool as `Client`. */
export class FollowingClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super(config.connectionString ? { ...config, connectionString: presentUrl(config.connectionString) } : config)
  }
}
