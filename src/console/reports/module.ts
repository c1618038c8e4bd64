import type { Module } from '../../platform/manifest.ts'
import { computeFinishedDays } from './compute.ts'

export const consoleReportsModule: Module = {
  name: 'console/reports',
  tasks: { reports: { cron: '11 * * * *', run: computeFinishedDays } },
  memberTables: [
    { table: 'report_facts', deletion: 'retained', merging: 'moved' },
    { table: 'report_diners', deletion: 'retained', merging: 'stays' },
  ],
}
