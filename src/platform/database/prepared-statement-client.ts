import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { PortTrackingClient } from './address.ts'

// Our code has few distinct statements; statements whose text depends on the number of values add more.
const names = new LRUCache<string, string>({
  max: 5_000,
  memoMethod: (text) => createHash('sha1').update(text).digest('base64url'),
})

/** Returns the prepared-statement name of a text; equal texts have equal names. */
export function statementName(text: string): string {
  return names.memo(text)
}

/**
 * Names every parameterized statement by its text, so that PostgreSQL plans it once per connection, and sends the
 * queries of one event loop turn together.
 */
export class PreparedStatementClient extends PortTrackingClient {
  // biome-ignore lint/suspicious/noExplicitAny: pg's query has seven overloads; all arguments pass through unchanged
  override query(...args: any[]): any {
    const [config, values] = args
    if (typeof config === 'string' && Array.isArray(values) && values.length > 0) {
      args[0] = { name: statementName(config), text: config }
    }
    const { stream } = this.connection
    stream.cork()
    process.nextTick(() => stream.uncork())
    // biome-ignore lint/suspicious/noExplicitAny: see above
    return (super.query as any)(...args)
  }
}
