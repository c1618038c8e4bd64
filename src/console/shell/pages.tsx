import type { ComponentType } from 'react'

/** A page of an area: its path after the program's code, in the router's syntax, and the file that is loaded for it. */
export interface ConsolePage {
  path: string
  load: () => Promise<{ default: ComponentType }>
}

/** The pages of all areas. */
export const pages: readonly ConsolePage[] = [
  { path: 'members', load: () => import('../../account/console/MembersPage.tsx') },
  { path: 'members/$id', load: () => import('../../account/console/MemberPage.tsx') },
  { path: 'claims', load: () => import('../../rewards/claims/console/ClaimsPage.tsx') },
  { path: 'claims/$id', load: () => import('../../rewards/claims/console/ClaimsPage.tsx') },
  { path: 'approvals', load: () => import('../../console-kit/approvals/ApprovalsPage.tsx') },
  { path: 'approvals/$id', load: () => import('../../console-kit/approvals/ApprovalsPage.tsx') },
  { path: 'transactions', load: () => import('../../rewards/activity/console/TransactionsPage.tsx') },
  { path: 'transactions/$id', load: () => import('../../rewards/activity/console/TransactionPage.tsx') },
  { path: 'unmatched', load: () => import('../../rewards/feed/console/UnmatchedPage.tsx') },
  { path: 'unmatched/$id', load: () => import('../../rewards/feed/console/UnmatchedPage.tsx') },
  { path: 'feed-files', load: () => import('../../rewards/feed/console/FeedFilesPage.tsx') },
  { path: 'feed-files/$id', load: () => import('../../rewards/feed/console/FeedFilePage.tsx') },
  { path: 'feed-messages', load: () => import('../../rewards/feed/console/MessagesPage.tsx') },
  { path: 'feed-messages/$id', load: () => import('../../rewards/feed/console/MessagePage.tsx') },
  { path: 'reservations', load: () => import('../../dining/reservations/console/ReservationsPage.tsx') },
  { path: 'reservations/$id', load: () => import('../../dining/reservations/console/ReservationPage.tsx') },
  { path: 'settlement', load: () => import('../../rewards/settlement/console/SettlementPage.tsx') },
  { path: 'settlement/$id', load: () => import('../../rewards/settlement/console/StatementPage.tsx') },
  { path: 'invoices', load: () => import('../../rewards/invoices/console/InvoicesPage.tsx') },
  { path: 'invoices/$id', load: () => import('../../rewards/invoices/console/InvoicePage.tsx') },
  { path: 'payouts', load: () => import('../../rewards/payouts/console/CreditsPage.tsx') },
  { path: 'payouts/$id', load: () => import('../../rewards/payouts/console/CreditPage.tsx') },
  { path: 'journal', load: () => import('../../rewards/ledger/console/JournalPage.tsx') },
  { path: 'journal/trial-balance', load: () => import('../../rewards/ledger/console/TrialBalancePage.tsx') },
  { path: 'journal/$id', load: () => import('../../rewards/ledger/console/EntryPage.tsx') },
  { path: 'jobs', load: () => import('../jobs/JobsPage.tsx') },
  { path: 'jobs/$id', load: () => import('../jobs/JobPage.tsx') },
  { path: 'emails', load: () => import('../../identity/email/console/EmailsPage.tsx') },
  { path: 'emails/$id', load: () => import('../../identity/email/console/EmailPage.tsx') },
  { path: 'flags', load: () => import('../flags/FlagsPage.tsx') },
  { path: 'outside-systems', load: () => import('../health/HealthPage.tsx') },
  { path: 'reports', load: () => import('../reports/OverviewPage.tsx') },
  { path: 'reports/money', load: () => import('../reports/MoneyPage.tsx') },
  { path: 'reports/funnel', load: () => import('../reports/FunnelPage.tsx') },
  { path: 'reports/retention', load: () => import('../reports/RetentionPage.tsx') },
  { path: 'reports/origins', load: () => import('../reports/OriginsPage.tsx') },
  { path: 'audit', load: () => import('../acts/AuditPage.tsx') },
  { path: 'audit/$id', load: () => import('../acts/ActPage.tsx') },
]

/** The pages about the installation and all programs. Their paths have no program's code. */
export const installationPages: readonly ConsolePage[] = [
  { path: 'team', load: () => import('../team/TeamPage.tsx') },
  { path: 'team/roles', load: () => import('../team/RolesPage.tsx') },
  { path: 'team/$id', load: () => import('../team/OperatorPage.tsx') },
  { path: 'audit-log', load: () => import('../acts/AuditPage.tsx') },
  { path: 'audit-log/$id', load: () => import('../acts/ActPage.tsx') },
]
