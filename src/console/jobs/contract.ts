import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { JobDetail, JobEffect, ListedJob, QueueState } from './schemas.ts'

const jobs = '/api/programs/:program/jobs'

export const listQueues = defineCall<typeof schemas.listQueues>()({
  id: 'listQueues',
  method: 'GET',
  path: '/api/programs/:program/queues',
  access: 'operator',
  permission: 'jobs.read',
})

export const listJobs = defineCall<typeof schemas.listJobs>()({
  id: 'listJobs',
  method: 'GET',
  path: jobs,
  access: 'operator',
  permission: 'jobs.read',
})

export const getJob = defineCall<typeof schemas.getJob>()({
  id: 'getJob',
  method: 'GET',
  path: `${jobs}/:id`,
  access: 'operator',
  permission: 'jobs.read',
})

export const previewJobs = defineCall<typeof schemas.previewJobs>()({
  id: 'previewJobs',
  method: 'POST',
  path: `${jobs}/preview`,
  access: 'operator',
  permission: 'jobs.manage',
  readOnly: true,
})

export const retryJobs = defineCall<typeof schemas.retryJobs>()({
  id: 'retryJobs',
  method: 'POST',
  path: `${jobs}/retry`,
  access: 'operator',
  permission: 'jobs.manage',
})

export const discardJobs = defineCall<typeof schemas.discardJobs>()({
  id: 'discardJobs',
  method: 'POST',
  path: `${jobs}/discard`,
  access: 'operator',
  permission: 'jobs.manage',
})
