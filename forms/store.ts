import pg from 'pg'
import type { Answers, Tracking } from './answers.ts'

export interface Response {
  id: string
  formId: string
  answers: Answers
  tracking: Tracking
  receivedAt: Date
}

export type FormsStore = ReturnType<typeof createStore>

/** The answers that were given. `databaseUrl` is a login in the role `dineback_forms`. */
export function createStore(databaseUrl: string, onError: (error: Error) => void) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 5,
    statement_timeout: 8_000,
    connectionTimeoutMillis: 8_000,
    idleTimeoutMillis: 30_000,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return {
    close: () => pool.end(),

    /** Keeps a response once, however often it is sent. */
    async add(serviceCode: string, response: Omit<Response, 'receivedAt'>): Promise<void> {
      await pool.query(
        `insert into forms.responses (id, service_code, form_id, answers, tracking)
         values ($1, $2, $3, $4, $5) on conflict (id) do nothing`,
        [
          response.id,
          serviceCode,
          response.formId,
          JSON.stringify(response.answers),
          JSON.stringify(response.tracking),
        ],
      )
    },

    /** Responses of a form from the oldest on, some at a time. */
    async *read(serviceCode: string, formId: string, span: { from?: Date; to?: Date } = {}): AsyncGenerator<Response> {
      let after: { at: Date; id: string } | null = null
      for (;;) {
        const page: { rows: Response[] } = await pool.query(
          `select id, form_id as "formId", answers, tracking, received_at as "receivedAt" from forms.responses
           where service_code = $1 and form_id = $2
             and received_at >= coalesce($3::timestamptz, '-infinity') and received_at < coalesce($4::timestamptz, 'infinity')
             and ($5::timestamptz is null or (received_at, id) > ($5, $6::uuid))
           order by received_at, id limit 500`,
          [serviceCode, formId, span.from, span.to, after?.at, after?.id],
        )
        yield* page.rows
        const last = page.rows.at(-1)
        if (!last || page.rows.length < 500) return
        after = { at: last.receivedAt, id: last.id }
      }
    },
  }
}
