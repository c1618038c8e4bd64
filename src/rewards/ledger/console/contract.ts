import { defineCall } from '../../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { JournalDetail, ListedEntry, TrialBalance } from './schemas.ts'

const journal = '/api/programs/:program/journal'

export const listJournal = defineCall<typeof schemas.listJournal>()({
  id: 'listJournal',
  method: 'GET',
  path: journal,
  access: 'operator',
  permission: 'settlement.read',
})

export const exportJournal = defineCall<typeof schemas.exportJournal>()({
  id: 'exportJournal',
  method: 'GET',
  path: '/api/programs/:program/journal.csv',
  access: 'operator',
  permission: 'settlement.read',
  audited: true,
})

export const getJournalEntry = defineCall<typeof schemas.getJournalEntry>()({
  id: 'getJournalEntry',
  method: 'GET',
  path: `${journal}/:id`,
  access: 'operator',
  permission: 'ledger.read',
})

export const getTrialBalance = defineCall<typeof schemas.getTrialBalance>()({
  id: 'getTrialBalance',
  method: 'GET',
  path: '/api/programs/:program/trial-balance',
  access: 'operator',
  permission: 'settlement.read',
})
