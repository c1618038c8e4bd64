import { accountConsoleModule } from '../account/console/module.ts'
import { accountPagesModule } from '../account/pages/module.ts'
import { privacyModule } from '../account/privacy/module.ts'
import { consoleActsModule } from '../console/acts/module.ts'
import { consoleImpersonationModule } from '../console/impersonation/module.ts'
import { consoleOperatorsModule } from '../console/operators/module.ts'
import { consoleReportsModule } from '../console/reports/module.ts'
import { consoleStudioModule } from '../console/studio/module.ts'
import { consoleUiModule } from '../console/ui/module.ts'
import { merchantsModule } from '../dining/merchants/module.ts'
import { reservationsModule } from '../dining/reservations/module.ts'
import { activationModule } from '../identity/activation/module.ts'
import { botCheckModule } from '../identity/bot-check/module.ts'
import { emailModule } from '../identity/email/module.ts'
import { enrollmentModule } from '../identity/enrollment/module.ts'
import { impersonationModule } from '../identity/impersonation/module.ts'
import { membersModule } from '../identity/members/module.ts'
import { notificationsModule } from '../identity/notifications/module.ts'
import { recoveryModule } from '../identity/recovery/module.ts'
import { sessionModule } from '../identity/session/module.ts'
import { verificationModule } from '../identity/verification/module.ts'
import type { Module } from '../platform/manifest.ts'
import { platformModule } from '../platform/module.ts'
import { contentModule } from '../programs/content/module.ts'
import { partnersModule } from '../programs/partners/module.ts'
import { placesModule } from '../programs/places/module.ts'
import { pwaModule } from '../programs/pwa/module.ts'
import { surveysModule } from '../programs/surveys/module.ts'
import { trackingModule } from '../programs/tracking/module.ts'
import { activityModule } from '../rewards/activity/module.ts'
import { awardsModule } from '../rewards/awards/module.ts'
import { bonusesModule } from '../rewards/bonuses/module.ts'
import { cardsModule } from '../rewards/cards/module.ts'
import { claimsModule } from '../rewards/claims/module.ts'
import { debtsModule } from '../rewards/debts/module.ts'
import { earningModule } from '../rewards/earning/module.ts'
import { feedModule } from '../rewards/feed/module.ts'
import { invoicesModule } from '../rewards/invoices/module.ts'
import { ledgerModule } from '../rewards/ledger/module.ts'
import { payoutsModule } from '../rewards/payouts/module.ts'
import { reviewsModule } from '../rewards/reviews/module.ts'
import { settlementModule } from '../rewards/settlement/module.ts'
import { stagingModule } from '../staging/module.ts'
import type { ModuleServices } from './server/module-services.ts'

/**
 * The modules from the lowest to the highest. A module imports only modules above it in this list, which the import rules
 * read; the app registers what they add in the same order.
 */
export const modules: readonly Module<ModuleServices>[] = [
  platformModule,
  partnersModule,
  placesModule,
  contentModule,
  trackingModule,
  pwaModule,
  surveysModule,
  botCheckModule,
  membersModule,
  emailModule,
  notificationsModule,
  sessionModule,
  verificationModule,
  recoveryModule,
  impersonationModule,
  merchantsModule,
  reservationsModule,
  cardsModule,
  enrollmentModule,
  activationModule,
  bonusesModule,
  earningModule,
  ledgerModule,
  debtsModule,
  settlementModule,
  invoicesModule,
  payoutsModule,
  awardsModule,
  feedModule,
  reviewsModule,
  activityModule,
  claimsModule,
  accountPagesModule,
  privacyModule,
  accountConsoleModule,
  consoleUiModule,
  consoleOperatorsModule,
  consoleActsModule,
  consoleStudioModule,
  consoleImpersonationModule,
  consoleReportsModule,
  stagingModule,
]
