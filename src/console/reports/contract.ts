import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { Origin, Report, Retention } from './schemas.ts'

export const getReport = defineCall<typeof schemas.getReport>()({
  id: 'getReport',
  method: 'GET',
  path: '/api/programs/:program/reports/figures',
  access: 'operator',
  permission: 'reports.read',
})

export const exportReport = defineCall<typeof schemas.exportReport>()({
  id: 'exportReport',
  method: 'GET',
  path: '/api/programs/:program/reports/figures.csv',
  access: 'operator',
  permission: 'reports.read',
  audited: true,
})

export const getRetention = defineCall<typeof schemas.getRetention>()({
  id: 'getRetention',
  method: 'GET',
  path: '/api/programs/:program/reports/retention',
  access: 'operator',
  permission: 'reports.read',
})

export const exportRetention = defineCall<typeof schemas.exportRetention>()({
  id: 'exportRetention',
  method: 'GET',
  path: '/api/programs/:program/reports/retention.csv',
  access: 'operator',
  permission: 'reports.read',
  audited: true,
})

export const listOrigins = defineCall<typeof schemas.listOrigins>()({
  id: 'listOrigins',
  method: 'GET',
  path: '/api/programs/:program/reports/origins',
  access: 'operator',
  permission: 'reports.read',
})

export const exportOrigins = defineCall<typeof schemas.exportOrigins>()({
  id: 'exportOrigins',
  method: 'GET',
  path: '/api/programs/:program/reports/origins.csv',
  access: 'operator',
  permission: 'reports.read',
  audited: true,
})

export const listReportMonths = defineCall<typeof schemas.listReportMonths>()({
  id: 'listReportMonths',
  method: 'GET',
  path: '/api/programs/:program/reports/months',
  access: 'operator',
  permission: 'reports.read',
})
