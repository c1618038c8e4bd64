import { startJourneyServers } from './journey-servers.ts'

/** Playwright calls this once, before the first journey; what it returns runs after the last. */
export default startJourneyServers
