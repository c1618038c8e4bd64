import type { Permission } from '../../console-kit/permissions.ts'

/** An area of the console: one entry of its navigation. */
export interface Area {
  /** First segment of its addresses, after the program's code. */
  path: string
  label: string
  /** Any of these shows the area. */
  permissions: readonly Permission[]
  /** The heading above it and its neighbors of the same group. */
  group?: 'Money' | 'Operations'
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
  { path: 'reservations', label: 'Reservations', permissions: ['reservations.read'] },
  { path: 'reports', label: 'Reports', permissions: ['reports.read'] },
  { path: 'settlement', label: 'Settlement', group: 'Money', permissions: ['settlement.read'] },
  { path: 'invoices', label: 'Invoices', group: 'Money', permissions: ['settlement.read'] },
  { path: 'payouts', label: 'Statement credits', group: 'Money', permissions: ['payouts.read'] },
  { path: 'journal', label: 'Journal', group: 'Money', permissions: ['settlement.read'] },
  { path: 'feed-files', label: 'Feed files', group: 'Operations', permissions: ['feed.read'] },
  { path: 'feed-messages', label: 'Feed messages', group: 'Operations', permissions: ['feed.read'] },
  { path: 'jobs', label: 'Jobs', group: 'Operations', permissions: ['jobs.read'] },
  { path: 'emails', label: 'Emails', group: 'Operations', permissions: ['emails.read'] },
  { path: 'flags', label: 'Flags and maintenance', group: 'Operations', permissions: ['flags.read'] },
  { path: 'outside-systems', label: 'Outside systems', group: 'Operations', permissions: ['jobs.read'] },
  { path: 'audit', label: 'Audit log', group: 'Operations', permissions: ['audit.read'] },
]

/** Areas about the installation and all programs; their addresses have no program's code. */
export const installationAreas: readonly Area[] = [
  { path: 'team', label: 'Team', permissions: ['operators.read'] },
  { path: 'audit-log', label: 'Audit log of all programs', permissions: ['audit.read'] },
]

/** The content that all programs share; its pages are plain forms. */
export const sharedContent: Area = {
  path: 'programs',
  label: 'Content of all programs',
  permissions: ['content.edit'],
  isForms: true,
}

/** Areas whose pages are plain forms. They come after those without a group. */
export const formAreas: readonly Area[] = [
  { path: 'content', label: 'Content', permissions: ['content.edit'], isForms: true },
]

/** Returns whether an operator with these permissions sees an area. */
export const isShown = ({ permissions }: Area, given: readonly string[]) =>
  permissions.some((permission) => given.includes(permission))

/** Returns whether an operator sees an area about all programs: a permission in one of them suffices. */
export const isShownAnywhere = (area: Area, programs: readonly { permissions: readonly string[] }[]) =>
  programs.some(({ permissions }) => isShown(area, permissions))
