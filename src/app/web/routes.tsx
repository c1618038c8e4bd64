import { Redirect } from '../../platform/browser/router/redirect.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import { Page as ErrorPage } from '../shell/member/ErrorPage.tsx'
import { Page as NotFoundPage } from '../shell/member/NotFoundPage.tsx'
import type { Boot } from './boot.ts'
import type { PageModule, PageRoute, RedirectRoute, Route } from './page.ts'

const account = [
  [
    'overview',
    'src/account/pages/member/OverviewPage.tsx',
    () => import('../../account/pages/member/OverviewPage.tsx'),
  ],
  [
    'recent_activity',
    'src/rewards/activity/member/ActivityPage.tsx',
    () => import('../../rewards/activity/member/ActivityPage.tsx'),
  ],
  [
    'missing_meal',
    'src/rewards/claims/member/MissingTransactionPage.tsx',
    () => import('../../rewards/claims/member/MissingTransactionPage.tsx'),
  ],
  [
    'manage_cards',
    'src/rewards/cards/member/ManageCardsPage.tsx',
    () => import('../../rewards/cards/member/ManageCardsPage.tsx'),
  ],
  [
    'user_profile',
    'src/identity/members/member/ProfilePage.tsx',
    () => import('../../identity/members/member/ProfilePage.tsx'),
  ],
  [
    'security',
    'src/account/pages/member/SecurityPage.tsx',
    () => import('../../account/pages/member/SecurityPage.tsx'),
  ],
  [
    'privacy',
    'src/account/privacy/member/PrivacyPage.tsx',
    () => import('../../account/privacy/member/PrivacyPage.tsx'),
  ],
] as const

const recovery = [
  [
    '/recover',
    'src/identity/recovery/member/RequestPage.tsx',
    () => import('../../identity/recovery/member/RequestPage.tsx'),
  ],
  [
    '/recover/confirm',
    'src/identity/recovery/member/ConfirmPage.tsx',
    () => import('../../identity/recovery/member/ConfirmPage.tsx'),
  ],
  [
    '/recover/update',
    'src/identity/recovery/member/UpdatePage.tsx',
    () => import('../../identity/recovery/member/UpdatePage.tsx'),
  ],
  [
    '/recover/success',
    'src/identity/recovery/member/SuccessPage.tsx',
    () => import('../../identity/recovery/member/SuccessPage.tsx'),
  ],
  [
    '/fix_credentials',
    'src/identity/recovery/member/FixCredentialsPage.tsx',
    () => import('../../identity/recovery/member/FixCredentialsPage.tsx'),
  ],
] as const

const page = (path: string, module: string, importPage: PageRoute['importPage']): PageRoute => ({
  path,
  module,
  importPage,
})

/** A page of the entry script. */
const ownPage = (path: string, Page: PageModule['Page']): PageRoute => ({ path, importPage: async () => ({ Page }) })

const redirectRoute = (path: string, to: string): RedirectRoute => ({ path, redirectFrom: () => new Redirect(to) })

const importAccountLayout = async () => (await import('../../account/pages/member/AccountLayout.tsx')).AccountLayout

/**
 * Creates the routes of one program; routes of features that it does not have are omitted. The first one that matches an
 * address is its page.
 */
export function createRoutes({ config, stagingTools }: Pick<Boot, 'config' | 'stagingTools'>): Route[] {
  const content = (path: string) =>
    page(
      path,
      'src/programs/content/member/ContentPage.tsx',
      () => import('../../programs/content/member/ContentPage.tsx'),
    )
  return [
    content('/'),
    ...(config.hasDiscoverPage ? [content('/discover')] : []),
    content('/how-it-works'),
    page(
      '/earn',
      'src/programs/content/member/EarnPage.tsx',
      () => import('../../programs/content/member/EarnPage.tsx'),
    ),
    content('/earn/*'),
    ...config.extraPaths.map((path) => content(path)),
    page(
      '/search',
      'src/dining/merchants/member/SearchPage.tsx',
      () => import('../../dining/merchants/member/SearchPage.tsx'),
    ),
    redirectRoute('/merchants', '/search'),
    page(
      '/restaurants',
      'src/dining/merchants/member/CitiesPage.tsx',
      () => import('../../dining/merchants/member/CitiesPage.tsx'),
    ),
    ...['/restaurants/:city', '/restaurants/:city/:cuisine'].map((path) =>
      page(
        path,
        'src/dining/merchants/member/CityPage.tsx',
        () => import('../../dining/merchants/member/CityPage.tsx'),
      ),
    ),
    page(
      '/merchants/:merchantId',
      'src/dining/merchants/member/MerchantPage.tsx',
      () => import('../../dining/merchants/member/MerchantPage.tsx'),
    ),
    page(
      '/merchants/:merchantId/order-online',
      'src/dining/merchants/member/MerchantPage.tsx',
      () => import('../../dining/merchants/member/MerchantPage.tsx'),
    ),
    ...(config.enrollmentType === 'none' ? [] : memberRoutes(config)),
    ...(stagingTools
      ? [
          page(
            '/staging-tools/outbox',
            'src/identity/email/member/OutboxPage.tsx',
            () => import('../../identity/email/member/OutboxPage.tsx'),
          ),
          page(
            '/staging-tools/states',
            'src/staging/member/StatesPage.tsx',
            () => import('../../staging/member/StatesPage.tsx'),
          ),
          page(
            '/staging-tools/native',
            'src/staging/member/NativePage.tsx',
            () => import('../../staging/member/NativePage.tsx'),
          ),
          page(
            '/staging-tools',
            'src/staging/member/StagingPage.tsx',
            () => import('../../staging/member/StagingPage.tsx'),
          ),
        ]
      : []),
    ...['/surveys/success', '/surveys/error'].map((path) =>
      page(
        path,
        'src/programs/surveys/member/SurveyResultPage.tsx',
        () => import('../../programs/surveys/member/SurveyResultPage.tsx'),
      ),
    ),
    ownPage('/error', ErrorPage),
    ownPage('/not_found', NotFoundPage),
  ]
}

function memberRoutes(config: PublicConfig): Route[] {
  return [
    ...['/activate', '/activate/*'].map((path) =>
      page(
        path,
        'src/identity/activation/member/ActivationPage.tsx',
        () => import('../../identity/activation/member/ActivationPage.tsx'),
      ),
    ),
    page(
      '/join',
      'src/identity/enrollment/member/JoinPage.tsx',
      () => import('../../identity/enrollment/member/JoinPage.tsx'),
    ),
    page(
      '/add_card',
      'src/identity/enrollment/member/AddCardPage.tsx',
      () => import('../../identity/enrollment/member/AddCardPage.tsx'),
    ),
    page(
      '/card_added',
      'src/identity/enrollment/member/CardAddedPage.tsx',
      () => import('../../identity/enrollment/member/CardAddedPage.tsx'),
    ),
    page(
      '/card_move',
      'src/rewards/cards/member/DecideMovePage.tsx',
      () => import('../../rewards/cards/member/DecideMovePage.tsx'),
    ),
    ...(config.enrollmentType === 'direct'
      ? [
          page(
            '/login',
            'src/identity/session/member/LoginPage.tsx',
            () => import('../../identity/session/member/LoginPage.tsx'),
          ),
          ...recovery.map(([path, module, load]) => page(path, module, load)),
        ]
      : [{ path: '/login', redirectFrom: (url: URL) => new Redirect(`/Login${url.search}`, true) }]),
    ...accountPages(config),
    redirectRoute('/account/*', '/account/overview'),
  ]
}

function accountPages(config: PublicConfig): Route[] {
  const pages = [
    ...account.map(([name, module, load]) => page(`/account/${name}`, module, load)),
    // A part of the page about sign-in, so that it needs no script of its own.
    ...account
      .filter(([name]) => name === 'security' && config.enrollmentType === 'direct')
      .map(([, module, load]) => page('/account/verify_email', module, load)),
    ...(config.openTableReservationsEnabled
      ? [
          page(
            '/account/reservations',
            'src/dining/reservations/member/ReservationsPage.tsx',
            () => import('../../dining/reservations/member/ReservationsPage.tsx'),
          ),
        ]
      : []),
  ]
  return pages.map((each) => ({ ...each, importLayout: importAccountLayout }))
}
