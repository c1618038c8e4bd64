import { setTimeout as sleep } from 'node:timers/promises'
import { addOperator } from '../../src/console/operators/service.ts'
import type { MerchantRecord } from '../../src/dining/merchants/catalog/record.ts'
import { scheduleQueue, taskQueue } from '../../src/platform/jobs/queues.ts'
import { asOwner, startTestApp, type TestApp } from '../support/app.ts'
import { webForTests } from '../support/built-web.ts'
import { createTestDatabase } from '../support/database.ts'
import { fixClock } from '../support/fixed-clock.ts'
import { addMerchants, merchantRecord, untilFound } from '../support/merchants.ts'
import { queryAsOwner } from '../support/owner.ts'

/** Monday morning in New York. */
export const start = '2027-03-01T15:00:00.000Z'

export const administrator = {
  email: 'grace@dineback.example',
  name: 'Grace',
  role: 'admin',
  partners: null,
  password: 'lighthouse 9 sardines',
} as const

/** Closed on Mondays. */
const evenings = Object.fromEntries([0, 2, 3, 4, 5, 6].map((day) => [day, [['17:00', '23:30']]]))

/** A restaurant with everything, one with a limited offer, and one that has left the program. */
const merchants: MerchantRecord[] = [
  merchantRecord({
    description: 'Small plates and a long counter.',
    cuisines: ['Japanese', 'Sushi'],
    features: ['dineIn'],
    meals: ['dinner'],
    priceRange: 3,
    rating: { sum: 44, count: 10 },
    acclaimedLevel: 1,
    address1: '212 9th Avenue',
    phone: '212-555-0134',
    website: 'https://kumo.example/',
    menuUrl: 'https://kumo.example/menu',
    hours: evenings,
    menus: [{ section: 'Small plates', dishes: [{ name: 'Edamame', priceCents: 6_50 }] }],
    events: [{ title: 'Sake night', date: '2027-03-20', text: 'Six small cups.' }],
    ordering: [{ name: 'Kumo to go', url: 'https://kumo.example/order' }],
    reservationProvider: 'book',
    tables: [
      { name: 'T1', seats: 2 },
      { name: 'T2', seats: 4 },
    ],
    reviews: [{ rating: 4, author: 'Grace H.', body: 'The tuna!', visitedOn: '2027-01-05' }],
  }),
  merchantRecord({
    sourceId: 'sole',
    name: 'Trattoria Sole',
    cuisines: ['Italian'],
    features: ['delivery'],
    meals: ['lunch', 'dinner'],
    priceRange: 2,
    latitude: 40.7527,
    longitude: -73.9772,
    joinedOn: '2027-02-10',
    highlight: 'new',
    offers: [
      { type: 'Limited', days: [1, 2, 3, 4], startsOn: '2027-02-10', maxSpendCents: 100_00, maxVisitsPerMonth: 2 },
    ],
  }),
  merchantRecord({ sourceId: 'oak', name: 'Old Oak', cuisines: ['American'], participating: false }),
]

export interface Stage {
  app: TestApp
  /** Sets the time of the app and its database. */
  moveTo(moment: string): Promise<void>
  /** Returns the public id of a restaurant by its source id. */
  slugOf(sourceId: string): Promise<string>
  stop(): Promise<void>
}

/** Starts an app with pages, a fixed clock and these restaurants. Periodic tasks run when a scenario says so. */
export async function startStage(): Promise<Stage> {
  const database = await createTestDatabase('programs')
  const clock = await fixClock(database.url, start)
  // The samples have the time of their loading.
  const loadedAt = `timestamptz '${start}' - interval '30 days'`
  await queryAsOwner(database.url, `update content_versions set saved_at = ${loadedAt}`)
  await queryAsOwner(database.url, `update content_releases set released_at = ${loadedAt}, live_from = ${loadedAt}`)
  // Jobs become due when the clock is moved, which is no notification.
  const settings = { DATABASE_URL: database.url, STAGING_TOOLS: 'true', JOB_POLL_MS: '500' }
  const app = await startTestApp(settings, await webForTests())
  await stopSchedule(app)
  await addMerchants(app.database.pools.shared, ...merchants)
  await untilFound(app, 'kumo')
  await addOperator(app.database.consolePools.shared, administrator)
  return {
    app,
    moveTo: clock.moveTo,
    async slugOf(sourceId) {
      const statement = 'select public_id as slug from merchants where source_id = $1'
      const [row] = await asOwner<{ slug: string }>(app, statement, [sourceId])
      return row?.slug ?? ''
    },
    async stop() {
      await app.stop()
      clock.release()
      await database.drop()
    },
  }
}

/** Stops the periodic tasks: also those that were enqueued before, and would run when the clock moves. */
async function stopSchedule(app: TestApp): Promise<void> {
  await asOwner(app, 'delete from jobs.schedule')
  const periodic = `name in ('${scheduleQueue}', '${taskQueue}', '__pgboss__send-it')`
  for (;;) {
    await asOwner(app, `delete from jobs.job where ${periodic} and state in ('created', 'retry')`)
    const active = await asOwner(app, `select 1 from jobs.job where ${periodic} and state = 'active'`)
    if (active.length === 0) return
    await sleep(20)
  }
}
