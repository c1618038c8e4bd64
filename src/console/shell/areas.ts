import type { Permission } from '../../console-kit/permissions.ts'

/** An area of the console: one entry of its navigation. */
export interface Area {
  /** First segment of its addresses, after the program's code. */
  path: string
  label: string
  /** Any of these shows the area. */
  permissions: readonly Permission[]
  /** Its pages are still plain forms: a link, not a page of the console's script. */
  isForms?: true
}

/** The areas in the order of the navigation, after the home page. */
export const areas: readonly Area[] = [
  { path: 'members', label: 'Members', permissions: ['members.read'] },
  { path: 'claims', label: 'Claims', permissions: ['claims.read'] },
  { path: 'approvals', label: 'Approvals', permissions: ['approvals.decide'] },
  { path: 'transactions', label: 'Transactions', permissions: ['transactions.read'] },
  { path: 'unmatched', label: 'Unmatched', permissions: ['transactions.read'] },
  { path: 'feed-messages', label: 'Feed messages', permissions: ['feed.read'] },
  { path: 'feed-files', label: 'Feed files', permissions: ['feed.read'] },
  { path: 'reservations', label: 'Reservations', permissions: ['reservations.read'] },
  { path: 'jobs', label: 'Jobs', permissions: ['jobs.read'] },
  { path: 'emails', label: 'Emails', permissions: ['emails.read'] },
  { path: 'settlement', label: 'Settlement', permissions: ['settlement.read'] },
  { path: 'payouts', label: 'Statement credits', permissions: ['payouts.read'] },
  { path: 'outside-systems', label: 'Outside systems', permissions: ['jobs.read'] },
  { path: 'flags', label: 'Flags and maintenance', permissions: ['flags.read'] },
  { path: 'journal', label: 'Journal', permissions: ['ledger.read'] },
  { path: 'audit', label: 'Audit log', permissions: ['audit.read'] },
]

/** Areas about the installation and all programs; their addresses have no program's code. */
export const installationAreas: readonly Area[] = [
  { path: 'team', label: 'Team', permissions: ['operators.read'] },
  { path: 'audit-log', label: 'Audit log of all programs', permissions: ['audit.read'] },
]

/** Areas whose pages are plain forms. */
export const formAreas: readonly Area[] = [
  { path: 'content', label: 'Content', permissions: ['content.edit'], isForms: true },
]

/** Returns whether an operator with these permissions sees an area. */
export const isShown = ({ permissions }: Area, given: readonly string[]) =>
  permissions.some((permission) => given.includes(permission))

/** Returns whether an operator sees an area about all programs: a permission in one of them suffices. */
export const isShownAnywhere = (area: Area, programs: readonly { permissions: readonly string[] }[]) =>
  programs.some(({ permissions }) => isShown(area, permissions))
