import { PortTrackingClient } from '../src/platform/database/address.ts'
import { FairPool } from '../src/platform/database/fair-pool.ts'
import { poolSizes, watchPool } from '../src/platform/database/pool-use.ts'
import type { ResponseValues } from './response-values.ts'

export interface Response {
  id: string
  formId: string
  fieldValues: ResponseValues
  tracking: Readonly<Record<string, string>>
  receivedAt: Date
}

/** Responses to one form of a program within a day. Beyond it they are not stored, so that nobody fills the disk. */
export const maxResponsesPerDay = 20_000

export type FormsStore = ReturnType<typeof createStore>

/** Stores the submitted responses. `databaseUrl` is a login in the role `dineback_forms`. */
export function createStore(databaseUrl: string, onError: (error: Error) => void) {
  const pool = new FairPool({
    connectionString: databaseUrl,
    Client: PortTrackingClient,
    max: poolSizes.forms,
    statement_timeout: 8_000,
    connectionTimeoutMillis: 8_000,
    idleTimeoutMillis: 30_000,
  })
  pool.on('error', onError)
  const unwatch = watchPool('forms', pool)
  pool.on('connect', (client) => client.on('error', onError))
  return {
    close: () => {
      unwatch()
      return pool.end()
    },

    /** Stores a response once, however often it is sent. Rejects beyond `maxResponsesPerDay`. `notifyDays` is the number of days for which
     * delivery to its program is retried; omitted when the program is not notified. */
    async add(
      serviceCode: string,
      response: Omit<Response, 'receivedAt'>,
      { notifyDays }: { notifyDays?: number } = {},
    ): Promise<void> {
      const { rowCount } = await pool.query(
        `insert into forms.responses (id, service_code, form_id, field_values, tracking, notify_until)
         select $1, $2, $3, $4, $5, now() + make_interval(days => $6)
         where (select count(*) from forms.responses
           where service_code = $2 and form_id = $3 and received_at > now() - interval '1 day') < $7
         on conflict (id) do nothing`,
        [
          response.id,
          serviceCode,
          response.formId,
          JSON.stringify(response.fieldValues),
          JSON.stringify(response.tracking),
          notifyDays ?? null,
          maxResponsesPerDay,
        ],
      )
      if (rowCount === 1) return
      const { rowCount: known } = await pool.query('select from forms.responses where id = $1', [response.id])
      if (known === 0) throw new Error(`the form ${response.formId} has had its responses of a day`)
    },

    /** Returns whether another response than this one is a review of the same meal by the same family. */
    async hasOtherReview(serviceCode: string, { id, tracking }: Pick<Response, 'id' | 'tracking'>): Promise<boolean> {
      const { rowCount } = await pool.query(
        `select from forms.responses where service_code = $1 and form_id = 'review'
           and tracking ->> 'transactionId' = $2 and tracking ->> 'familyId' = $3 and id <> $4 limit 1`,
        [serviceCode, tracking.transactionId, tracking.familyId, id],
      )
      return rowCount === 1
    },

    /** Returns a response that its program is to receive and has not received yet, also when the promised days are
     * over: the job queue ends the retries, and an operator may start them again. */
    async findUndelivered(id: string): Promise<(Response & { serviceCode: string }) | undefined> {
      const { rows } = await pool.query<Response & { serviceCode: string }>(
        `select id, service_code as "serviceCode", form_id as "formId", field_values as "fieldValues", tracking,
           received_at as "receivedAt" from forms.responses
         where id = $1 and notified_at is null and notify_until is not null`,
        [id],
      )
      return rows[0]
    },

    async recordDelivery(id: string): Promise<void> {
      await pool.query('update forms.responses set notified_at = now() where id = $1', [id])
    },

    /** Runs a statement of the job queue. */
    query: (text: string, values?: unknown[]) => pool.query(text, values),

    /** Yields the responses of a form, oldest first, in batches. */
    async *read(serviceCode: string, formId: string, span: { from?: Date; to?: Date } = {}): AsyncGenerator<Response> {
      let after: { at: string; id: string } | null = null
      for (;;) {
        // The text of the time is exact: a date of JavaScript has milliseconds, PostgreSQL's has microseconds.
        const page: { rows: (Response & { at: string })[] } = await pool.query(
          `select received_at::text as at, id, form_id as "formId", field_values as "fieldValues", tracking, received_at as "receivedAt" from forms.responses
           where service_code = $1 and form_id = $2
             and received_at >= coalesce($3::timestamptz, '-infinity') and received_at < coalesce($4::timestamptz, 'infinity')
             and ($5::timestamptz is null or (received_at, id) > ($5, $6::uuid))
           order by received_at, id limit 500`,
          [serviceCode, formId, span.from, span.to, after?.at, after?.id],
        )
        yield* page.rows.map(({ id, formId, fieldValues, tracking, receivedAt }) => ({
          id,
          formId,
          fieldValues,
          tracking,
          receivedAt,
        }))
        const last = page.rows.at(-1)
        if (!last || page.rows.length < 500) return
        after = { at: last.at, id: last.id }
      }
    },
  }
}
