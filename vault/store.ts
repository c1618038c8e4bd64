import type pg from 'pg'
import { PortTrackingClient } from '../src/platform/database/address.ts'
import { FairPool } from '../src/platform/database/fair-pool.ts'
import { poolSizes, watchPool } from '../src/platform/database/pool-use.ts'

export interface Intent {
  id: string
  tenant: string
  holder: string
  parentOrigin: string
  brands: string[]
  expiresAt: Date
  requestHash: Buffer | null
  token: string | null
}

export interface TokenizedCard {
  token: string
  fingerprint: string
  cardType: string
  lastFour: string
  /** `YYYY-MM`. */
  expires: string
  homeKey: string
}

const intentColumns = `id, tenant, holder, parent_origin as "parentOrigin", brands, expires_at as "expiresAt",
  request_hash as "requestHash", token`
const cardColumns = `token, fingerprint, card_type as "cardType", last_four as "lastFour", home_key as "homeKey"`
/** Unused intents of a holder; a further one ends the oldest. A page has one for each card that is typed. */
export const maxUnusedIntents = 20
/** Holder value of cards that a partner has loaded. */
const partnerItself = ''

export interface CardHolder {
  tenant: string
  holder: string
}

export type VaultStore = ReturnType<typeof createStore>

/** The vault's tables. None of them contains a card number. */
export function createStore(databaseUrl: string, onError: (error: Error) => void) {
  const pool = new FairPool({
    connectionString: databaseUrl,
    Client: PortTrackingClient,
    max: poolSizes.vault,
    statement_timeout: 8_000,
    idleTimeoutMillis: 30_000,
  })
  pool.on('error', onError)
  const unwatch = watchPool('vault', pool)
  pool.on('connect', (client) => client.on('error', onError))

  return {
    close: () => {
      unwatch()
      return pool.end()
    },

    /** Stores a permission to enter a card. */
    async addIntent(intent: Omit<Intent, 'expiresAt' | 'requestHash' | 'token'>, ttlSeconds: number): Promise<Date> {
      const { id, tenant, holder, parentOrigin, brands } = intent
      return inTransaction(pool, async (client) => {
        await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`intents:${tenant}:${holder}`])
        await client.query(
          `delete from vault.intents where tenant = $1 and holder = $2 and used_at is null and id not in (
             select id from vault.intents where tenant = $1 and holder = $2 and used_at is null
             order by expires_at desc, id limit $3)`,
          [tenant, holder, maxUnusedIntents - 1],
        )
        const { rows } = await client.query<{ expiresAt: Date }>(
          `insert into vault.intents (id, tenant, holder, parent_origin, brands, expires_at)
           values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6)) returning expires_at as "expiresAt"`,
          [id, tenant, holder, parentOrigin, brands, ttlSeconds],
        )
        return (rows[0] as { expiresAt: Date }).expiresAt
      })
    },

    /** Returns an unexpired intent, by the database's clock. */
    async liveIntent(id: string): Promise<Intent | undefined> {
      const { rows } = await pool.query<Intent>(
        `select ${intentColumns} from vault.intents where id = $1 and expires_at > now()`,
        [id],
      )
      return rows[0]
    },

    /** Stores a card that a tenant has loaded, without an intent. */
    loadCard: (tenant: string, card: TokenizedCard): Promise<TokenizedCard> =>
      upsertCard(pool, { tenant, holder: partnerItself, card }),

    /**
     * Returns whether two holders of one card, each in a tenant, have given the same expiry date. The card is
     * identified by the first one's token. Returns false when the other tenant does not have it.
     */
    async sameExpiry(token: string, requester: CardHolder, home: CardHolder): Promise<boolean> {
      const { rows } = await pool.query<{ same: boolean }>(
        `select (${expiryOf('own.token', '$3')}) = (${expiryOf('other.token', '$5')}) as same
         from vault.cards own join vault.cards other on other.home_key = own.home_key and other.tenant = $4
         where own.token = $1 and own.tenant = $2`,
        [token, requester.tenant, requester.holder, home.tenant, home.holder],
      )
      return rows[0]?.same === true
    },

    /**
     * Deletes cards of a tenant, and the intents that they were entered with. With a holder, also the intents and entries
     * of this holder, and the cards that then have no entry. Idempotent.
     */
    deleteCards: (tenant: string, tokens: readonly string[], holder?: string): Promise<void> =>
      inTransaction(pool, (client) => deleteCards(client, { tenant, tokens, holder })),

    async purgeExpiredIntents(): Promise<void> {
      await pool.query(`delete from vault.intents where expires_at < now() - interval '1 day'`)
    },

    /**
     * Runs `decide` with the intent locked, so that a concurrent request for the same intent waits and then finds it
     * used. `redeem` writes the card and the intent in the same transaction.
     */
    withIntent: <T>(
      id: string,
      decide: (intent: Intent | undefined, act: { redeem: RedeemIntent; findCard: FindCard }) => Promise<T>,
    ): Promise<T> =>
      inTransaction(pool, async (client) => {
        const { rows } = await client.query<Intent>(
          `select ${intentColumns} from vault.intents where id = $1 for update`,
          [id],
        )
        return decide(rows[0], { redeem: redeemWith(client), findCard: findCardWith(client) })
      }),
  }
}

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    client.release(error as Error)
    throw error
  }
}

interface DeletedCards {
  tenant: string
  tokens: readonly string[]
  holder: string | undefined
}

async function deleteCards(client: pg.PoolClient, { tenant, tokens, holder }: DeletedCards): Promise<void> {
  // The intents first, as an exchange locks its intent before its card.
  await client.query('delete from vault.intents where tenant = $1 and holder = $2', [tenant, holder])
  // Another holder who enters one of these cards at the same moment waits, or is seen by the statements below.
  const { rows } = await client.query<{ token: string }>(
    `select token from vault.cards where tenant = $1
       and token = any($2::text[] || array(select token from vault.card_holders where holder = $3))
     order by token for update`,
    [tenant, tokens, holder],
  )
  const locked = rows.map(({ token }) => token)
  await client.query('delete from vault.card_holders where holder = $1 and token = any($2)', [holder, locked])
  const { rows: unused } = await client.query<{ token: string }>(
    `select token from vault.cards c where token = any($1)
       and (token = any($2) or not exists (select from vault.card_holders h where h.token = c.token))`,
    [locked, tokens],
  )
  const deleted = unused.map(({ token }) => token)
  await client.query('delete from vault.intents where token = any($1)', [deleted])
  await client.query('delete from vault.cards where token = any($1)', [deleted])
}

type RedeemIntent = (
  intent: Intent,
  card: TokenizedCard,
  use: { requestHash: Buffer; deviceSession: string | null },
) => Promise<TokenizedCard>
type FindCard = (token: string, holder: string) => Promise<TokenizedCard>

function redeemWith(client: pg.PoolClient): RedeemIntent {
  return async (intent, card, { requestHash, deviceSession }) => {
    const stored = await upsertCard(client, { ...intent, card })
    await client.query(
      'update vault.intents set used_at = now(), request_hash = $2, token = $3, device_session = $4 where id = $1',
      [intent.id, requestHash, stored.token, deviceSession],
    )
    return stored
  }
}

// The same card of a tenant has the same token; each holder has a separate expiry date.
async function upsertCard(
  client: pg.PoolClient | pg.Pool,
  { tenant, holder, card }: CardHolder & { card: TokenizedCard },
): Promise<TokenizedCard> {
  const { rows } = await client.query<TokenizedCard>(
    `with stored as (
       insert into vault.cards (token, tenant, fingerprint, card_type, last_four, expires, home_key)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (tenant, fingerprint) do update set home_key = excluded.home_key
       returning *),
     typed as (
       insert into vault.card_holders (token, holder, expires) select token, $8::text, $6::text from stored
       on conflict (token, holder) do update set expires = excluded.expires)
     select ${cardColumns}, $6::text as expires from stored`,
    [card.token, tenant, card.fingerprint, card.cardType, card.lastFour, card.expires, card.homeKey, holder],
  )
  return rows[0] as TokenizedCard
}

// The date of the holder, else the date that the partner has loaded.
const expiryOf = (token: string, holder: string) =>
  `select expires from vault.card_holders where token = ${token} and holder in (${holder}, '') order by holder desc limit 1`

function findCardWith(client: pg.PoolClient): FindCard {
  return async (token, holder) => {
    const { rows } = await client.query<TokenizedCard>(
      `select ${cardColumns}, (${expiryOf('$1', '$2')}) as expires from vault.cards where token = $1`,
      [token, holder],
    )
    return rows[0] as TokenizedCard
  }
}
