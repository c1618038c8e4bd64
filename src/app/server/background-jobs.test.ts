import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '../../platform/database/db.ts'
import { loadPrograms } from '../../programs/partners/load-programs.ts'
import { type BackgroundWork, handlersOf, tasksOf } from './background-jobs.ts'

const program = loadPrograms('programs').get('skyharbor')

/** Returns the dependencies of jobs over an empty database, and the statements of each of its connections. */
function createDeps() {
  const statements: string[] = []
  const databaseOf = (name: string): Db =>
    new Kysely({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
      log: ({ query: { sql } }) => void (/^(begin|commit|rollback)/.test(sql) || statements.push(`${name}: ${sql}`)),
    }) as never
  const contextFor = (partnerId: string) => ({
    partnerId,
    db: databaseOf(partnerId),
    program,
    now: () => new Date('2026-03-10T12:00:00Z'),
    actor: { memberId: null, operator: null },
    address: '',
    t: (key: string) => key,
    log: { info() {}, warn() {}, error() {} },
  })
  const deps = {
    contextFor,
    services: {
      mailFrom: 'Dineback <a@b.example>',
      impressionsKeptMonths: 13,
      sharedDb: databaseOf('shared'),
      consoleDb: databaseOf('console'),
      vault: {},
      programs: new Map(),
      origin: () => 'http://skyharbor.localhost',
      onLinked: async () => {},
    },
  } as unknown as BackgroundWork
  return { deps, statements }
}

/** Returns the connection and the table or function that a statement begins with. */
function subjectOf(statement: string): string {
  const [, connection, subject] =
    /^(\w+): .*?\b(?:from|into|update|select(?= [\w.]+\())\s+"?([\w.]+)/s.exec(statement.replaceAll('from_', '')) ?? []
  return `${connection} ${subject}`
}

const everyMinute = '* * * * *'
const everyTenMinutes = '*/10 * * * *'

test('each periodic task does its own work, with the database of its program or of the installation', async () => {
  const { deps, statements } = createDeps()
  const work: Record<string, unknown> = {}
  const first = new Map<string, string>()
  for (const [name, { cron, run, isShared = false }] of Object.entries(tasksOf(deps))) {
    statements.length = 0
    await run(isShared ? '' : 'skyharbor')
    work[name] = [cron, [...new Set(statements.map(subjectOf))].join(', ')]
    first.set(name, statements[0] ?? '')
  }
  expect(work).toEqual({
    'review-expiry': [everyMinute, 'skyharbor transactions'],
    'review-requests': [everyMinute, 'skyharbor transactions'],
    'card-expiry': [everyMinute, 'skyharbor cards'],
    'pending-transactions': [everyMinute, 'skyharbor transactions'],
    vip: [everyMinute, 'skyharbor members'],
    rematch: [everyMinute, 'skyharbor transactions'],
    sessions: [
      everyTenMinutes,
      'skyharbor sessions, skyharbor sso_attempts, skyharbor passkey_challenges, skyharbor known_devices',
    ],
    'email-verifications': [everyTenMinutes, 'skyharbor email_verifications'],
    'ended-holds': [everyTenMinutes, 'shared table_bookings'],
    attempts: [everyTenMinutes, 'skyharbor attempts'],
    'idempotency-keys': [everyTenMinutes, 'skyharbor idempotency_keys'],
    prospects: [everyTenMinutes, 'skyharbor prospects'],
    'bot-check-tokens': [everyTenMinutes, 'skyharbor used_bot_check_proofs'],
    recoveries: [everyTenMinutes, 'skyharbor recovery_requests, skyharbor recoveries'],
    'email-secrets': [everyTenMinutes, 'skyharbor emails'],
    'old-moves': [everyTenMinutes, 'skyharbor card_move_requests, skyharbor card_moves'],
    'old-notifications': [everyTenMinutes, 'skyharbor notifications'],
    'overdue-credits': [everyTenMinutes, 'skyharbor statement_credits'],
    receipts: [everyTenMinutes, 'skyharbor claims'],
    debts: [everyMinute, 'skyharbor debts, skyharbor pg_advisory_xact_lock'],
    'former-members': [everyTenMinutes, 'skyharbor former_member_identifiers'],
    impressions: [everyTenMinutes, 'shared rotate_impression_partitions'],
    'console-sessions': [everyTenMinutes, 'console console'],
    'audit-log': ['7 * * * *', 'console console.act_checks, console console.acts, console console'],
    'feed-uploads': [everyTenMinutes, 'skyharbor feed_uploads'],
    reports: ['11 * * * *', 'skyharbor pg_advisory_xact_lock, skyharbor max, skyharbor least'],
  })
  expect(first.get('impressions')).toContain('rotate_impression_partitions')
  expect(new Set(first.values()).size).toBe(first.size)
})

test('each queue does its own work with the row of its job', async () => {
  const { deps, statements } = createDeps()
  const work: Record<string, string> = {}
  const handlers = handlersOf(deps)
  for (const [queue, handle] of Object.entries(handlers)) {
    statements.length = 0
    await handle({ partnerId: 'skyharbor', id: '7', isLastAttempt: false, signal: AbortSignal.abort() })
    work[queue] = statements.map(subjectOf).join(', ')
  }
  expect(work).toEqual({
    emails: 'skyharbor emails',
    notifications: 'skyharbor notifications',
    'statement-credits': 'skyharbor statement_credit_decisions, skyharbor statement_credits',
    // The first table of the query says whether the reservation has earned its bonus.
    reservations: 'skyharbor transactions',
    'recovery-requests': 'skyharbor recovery_requests',
    'claim-decisions': 'skyharbor claims',
    // Owners learn of requests, allowed ones are completed, the job's own card is found, members learn of moves.
    'card-moves':
      'skyharbor card_move_requests, skyharbor card_move_requests, skyharbor card_move_requests, skyharbor card_moves',
    'replaced-cards': 'skyharbor replaced_cards',
    'feed-uploads': 'skyharbor feed_uploads',
  })
})
