import type { RouteObject } from 'react-router'
import { prefetchContent } from '../../programs/content/member/embed/use-content.ts'
import { Page as ErrorPage } from '../shell/member/ErrorPage.tsx'
import { Page as NotFoundPage } from '../shell/member/NotFoundPage.tsx'
import { Shell } from '../shell/member/Shell.tsx'
import type { Boot } from './boot.ts'
import { loaderOf, type PageDeps, pageRoute, redirectRoute, serverRedirectRoute } from './page.ts'
import { RouteError } from './RouteError.tsx'

const account = [
  [
    'overview',
    () => import('../../account/pages/member/OverviewPage.tsx'),
    'src/account/pages/member/OverviewPage.tsx',
  ],
  [
    'recent_activity',
    () => import('../../rewards/activity/member/ActivityPage.tsx'),
    'src/rewards/activity/member/ActivityPage.tsx',
  ],
  [
    'missing_meal',
    () => import('../../rewards/claims/member/MissingTransactionPage.tsx'),
    'src/rewards/claims/member/MissingTransactionPage.tsx',
  ],
  [
    'manage_cards',
    () => import('../../rewards/cards/member/ManageCardsPage.tsx'),
    'src/rewards/cards/member/ManageCardsPage.tsx',
  ],
  [
    'user_profile',
    () => import('../../identity/members/member/ProfilePage.tsx'),
    'src/identity/members/member/ProfilePage.tsx',
  ],
  [
    'security',
    () => import('../../account/pages/member/SecurityPage.tsx'),
    'src/account/pages/member/SecurityPage.tsx',
  ],
  [
    'privacy',
    () => import('../../account/privacy/member/PrivacyPage.tsx'),
    'src/account/privacy/member/PrivacyPage.tsx',
  ],
] as const

const recovery = [
  [
    '/recover',
    () => import('../../identity/recovery/member/RequestPage.tsx'),
    'src/identity/recovery/member/RequestPage.tsx',
  ],
  [
    '/recover/confirm',
    () => import('../../identity/recovery/member/ConfirmPage.tsx'),
    'src/identity/recovery/member/ConfirmPage.tsx',
  ],
  [
    '/recover/update',
    () => import('../../identity/recovery/member/UpdatePage.tsx'),
    'src/identity/recovery/member/UpdatePage.tsx',
  ],
  [
    '/recover/success',
    () => import('../../identity/recovery/member/SuccessPage.tsx'),
    'src/identity/recovery/member/SuccessPage.tsx',
  ],
  [
    '/fix_credentials',
    () => import('../../identity/recovery/member/FixCredentialsPage.tsx'),
    'src/identity/recovery/member/FixCredentialsPage.tsx',
  ],
] as const

interface RouteDeps extends Pick<PageDeps, 'api' | 'cache' | 'versionCheck'> {}

/** Content collections of the frame around every page. */
const frameContent = ['*', 'announcement_banner'] as const

/** Creates the routes of one program; routes of features that it does not have are omitted. */
export function createRoutes(boot: Boot, routeDeps: RouteDeps): RouteObject[] {
  const { config } = boot
  const { api, cache } = routeDeps
  const { versionCheck } = routeDeps
  const deps = { api, cache, config, preview: boot.preview, versionCheck }
  const content = (path: string) =>
    pageRoute(
      deps,
      path,
      'src/programs/content/member/ContentPage.tsx',
      () => import('../../programs/content/member/ContentPage.tsx'),
    )
  return [
    {
      Component: Shell,
      ErrorBoundary: RouteError,
      loader: async () => {
        await prefetchContent(deps, frameContent)
        return null
      },
      shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
      children: [
        content('/'),
        ...(config.hasDiscoverPage ? [content('/discover')] : []),
        content('/how-it-works'),
        pageRoute(
          deps,
          '/earn',
          'src/programs/content/member/EarnPage.tsx',
          () => import('../../programs/content/member/EarnPage.tsx'),
        ),
        content('/earn/*'),
        ...config.extraPaths.map((path) => content(path)),
        pageRoute(
          deps,
          '/search',
          'src/dining/merchants/member/SearchPage.tsx',
          () => import('../../dining/merchants/member/SearchPage.tsx'),
        ),
        redirectRoute('/merchants', '/search'),
        pageRoute(
          deps,
          '/merchants/:merchantId',
          'src/dining/merchants/member/MerchantPage.tsx',
          () => import('../../dining/merchants/member/MerchantPage.tsx'),
        ),
        pageRoute(
          deps,
          '/merchants/:merchantId/order-online',
          'src/dining/merchants/member/MerchantPage.tsx',
          () => import('../../dining/merchants/member/MerchantPage.tsx'),
        ),
        ...(config.enrollmentType === 'none' ? [] : memberRoutes(boot, deps)),
        ...(boot.stagingTools
          ? [
              pageRoute(
                deps,
                '/staging-tools/outbox',
                'src/identity/email/member/OutboxPage.tsx',
                () => import('../../identity/email/member/OutboxPage.tsx'),
              ),
              pageRoute(
                deps,
                '/staging-tools/states',
                'src/staging/member/StatesPage.tsx',
                () => import('../../staging/member/StatesPage.tsx'),
              ),
              pageRoute(
                deps,
                '/staging-tools/native',
                'src/staging/member/NativePage.tsx',
                () => import('../../staging/member/NativePage.tsx'),
              ),
              pageRoute(
                deps,
                '/staging-tools',
                'src/staging/member/StagingPage.tsx',
                () => import('../../staging/member/StagingPage.tsx'),
              ),
            ]
          : []),
        ...['/surveys/success', '/surveys/error'].map((path) =>
          pageRoute(
            deps,
            path,
            'src/programs/surveys/member/SurveyResultPage.tsx',
            () => import('../../programs/surveys/member/SurveyResultPage.tsx'),
          ),
        ),
        { path: '/error', caseSensitive: true, Component: ErrorPage, loader: loaderOf(deps, undefined) },
        { path: '/not_found', caseSensitive: true, Component: NotFoundPage, loader: loaderOf(deps, undefined) },
        {
          path: '*',
          loader: loaderOf(deps, async () => {
            throw new Response(null, { status: 404 })
          }),
        },
      ],
    },
  ]
}

function memberRoutes({ config }: Boot, deps: PageDeps): RouteObject[] {
  return [
    ...['/activate', '/activate/*'].map((path) =>
      pageRoute(
        deps,
        path,
        'src/identity/activation/member/ActivationPage.tsx',
        () => import('../../identity/activation/member/ActivationPage.tsx'),
      ),
    ),
    pageRoute(
      deps,
      '/join',
      'src/identity/enrollment/member/JoinPage.tsx',
      () => import('../../identity/enrollment/member/JoinPage.tsx'),
    ),
    pageRoute(
      deps,
      '/add_card',
      'src/identity/enrollment/member/AddCardPage.tsx',
      () => import('../../identity/enrollment/member/AddCardPage.tsx'),
    ),
    pageRoute(
      deps,
      '/card_added',
      'src/identity/enrollment/member/CardAddedPage.tsx',
      () => import('../../identity/enrollment/member/CardAddedPage.tsx'),
    ),
    pageRoute(
      deps,
      '/card_move',
      'src/rewards/cards/member/DecideMovePage.tsx',
      () => import('../../rewards/cards/member/DecideMovePage.tsx'),
    ),
    ...(config.enrollmentType === 'direct'
      ? [
          pageRoute(
            deps,
            '/login',
            'src/identity/session/member/LoginPage.tsx',
            () => import('../../identity/session/member/LoginPage.tsx'),
          ),
          ...recovery.map(([path, load, module]) => pageRoute(deps, path, module, load)),
        ]
      : [serverRedirectRoute('/login', '/Login')]),
    {
      path: '/account',
      caseSensitive: true,
      lazy: async () => ({
        Component: (await import('../../account/pages/member/AccountLayout.tsx')).AccountLayout,
      }),
      children: [
        ...account.map(([path, load, module]) => pageRoute(deps, path, module, load)),
        ...(config.openTableReservationsEnabled
          ? [
              pageRoute(
                deps,
                'reservations',
                'src/dining/reservations/member/ReservationsPage.tsx',
                () => import('../../dining/reservations/member/ReservationsPage.tsx'),
              ),
            ]
          : []),
        { index: true, ...redirectRoute('', '/account/overview'), path: undefined } as RouteObject,
        redirectRoute('*', '/account/overview'),
      ],
    },
  ]
}
