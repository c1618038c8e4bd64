import pg from 'pg'

// A restarted server may listen on another port; earlier connection strings contain the first one.
const moved = new Map<string, string>()

/** Records that the server at one local port now listens on another. */
export function recordPortChange(from: number, to: number): void {
  moved.set(String(from), String(to))
}

/** Returns a connection string with the server's current port. */
export function currentUrl(url: string): string {
  const parsed = new URL(url)
  // The name of a Unix socket, whose folder is the host, contains the port too.
  const isLocal = parsed.hostname === '127.0.0.1' || parsed.hostname.startsWith('%2F')
  const port = isLocal ? moved.get(parsed.port) : undefined
  if (port === undefined) return url
  parsed.port = port
  return parsed.href
}

/** A client that connects to the server's current port. Pass it to a pool as `Client`. */
export class PortTrackingClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super(config.connectionString ? { ...config, connectionString: currentUrl(config.connectionString) } : config)
  }
}
