import type { FullConfig } from '@playwright/test'
import { startJourneyServers } from './journey-servers.ts'

/** Playwright calls this once, before the first journey, and the returned function after the last. */
export default ({ workers }: FullConfig) => startJourneyServers(workers)
