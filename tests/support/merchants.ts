import { expect, vi } from 'vitest'
import { MerchantRecord } from '../../src/dining/merchants/catalog/record.ts'
import { saveMerchants } from '../../src/dining/merchants/catalog/save-merchants.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import type { TestApp } from './app.ts'

/** Returns the record of Kumo, a restaurant in New York that rewards every dine; `over` overrides fields. */
export const merchantRecord = (over: Record<string, unknown> = {}): MerchantRecord =>
  MerchantRecord.parse({
    source: 'test',
    sourceId: 'kumo',
    name: 'Kumo',
    cuisines: ['Japanese'],
    city: 'New York',
    state: 'NY',
    zipCode: '10001',
    neighborhood: 'Chelsea',
    latitude: 40.7495,
    longitude: -73.9962,
    timeZone: 'America/New_York',
    participating: true,
    joinedOn: '2024-03-01',
    offers: [{ type: 'Unlimited', startsOn: '2021-01-01' }],
    ...over,
  })

/** Stores restaurants as an import does. */
export const addMerchants = (db: Db, ...records: MerchantRecord[]): Promise<unknown> =>
  inTransaction(db, (tx) => saveMerchants(tx, records))

/** Waits until the search of a process has the given number of restaurants with this name. */
export const untilFound = ({ model }: Pick<TestApp, 'model'>, name: string, count = 1): Promise<void> =>
  vi.waitFor(() => expect(model.suggest(name, 100)).toHaveLength(count), 20_000)
