import type { Module } from '../../platform/manifest.ts'

export const ledgerModule: Module = {
  name: 'rewards/ledger',
  memberTables: [{ table: 'postings', deletion: 'retained', merging: 'stays' }],
}
