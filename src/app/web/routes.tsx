import type { RouteObject } from 'react-router'
import { settleContent } from '../../content/member/embed/use-content.ts'
import { Page as ErrorPage } from '../../shell/member/ErrorPage.tsx'
import { Page as NotFoundPage } from '../../shell/member/NotFoundPage.tsx'
import { Shell } from '../../shell/member/Shell.tsx'
import type { Boot } from './boot.ts'
import { forward, forwardToServer, type PageDeps, page } from './page.ts'
import { RouteError } from './RouteError.tsx'

const account = [
  ['overview', () => import('../../members/member/OverviewPage.tsx'), 'src/members/member/OverviewPage.tsx'],
  ['recent_activity', () => import('../../rewards/member/ActivityPage.tsx'), 'src/rewards/member/ActivityPage.tsx'],
  ['missing_meal', () => import('../../claims/member/MissingMealPage.tsx'), 'src/claims/member/MissingMealPage.tsx'],
  ['manage_cards', () => import('../../cards/member/ManageCardsPage.tsx'), 'src/cards/member/ManageCardsPage.tsx'],
  ['user_profile', () => import('../../members/member/ProfilePage.tsx'), 'src/members/member/ProfilePage.tsx'],
  ['security', () => import('../../session/member/SecurityPage.tsx'), 'src/session/member/SecurityPage.tsx'],
  ['privacy', () => import('../../privacy/member/PrivacyPage.tsx'), 'src/privacy/member/PrivacyPage.tsx'],
] as const

const recovery = [
  ['/recover', () => import('../../recovery/member/RequestPage.tsx'), 'src/recovery/member/RequestPage.tsx'],
  ['/recover/confirm', () => import('../../recovery/member/ConfirmPage.tsx'), 'src/recovery/member/ConfirmPage.tsx'],
  ['/recover/update', () => import('../../recovery/member/UpdatePage.tsx'), 'src/recovery/member/UpdatePage.tsx'],
  ['/recover/success', () => import('../../recovery/member/SuccessPage.tsx'), 'src/recovery/member/SuccessPage.tsx'],
  [
    '/fix_credentials',
    () => import('../../recovery/member/FixCredentialsPage.tsx'),
    'src/recovery/member/FixCredentialsPage.tsx',
  ],
] as const

interface RouteParts extends Pick<PageDeps, 'api' | 'cache'> {
  /** Runs before each page in the browser, where a document can be older than its program. */
  beforePage?: (url: URL) => Promise<void>
}

/** Content collections of the frame around every page. */
const frameContent = ['*', 'announcement_banner']

/** Creates the routes of one program; routes of features that it does not have are omitted. */
export function createRoutes(boot: Boot, parts: RouteParts): RouteObject[] {
  const { config } = boot
  const { api, cache } = parts
  const deps = { api, cache, config, preview: boot.preview }
  const content = (path: string) =>
    page(deps, path, 'src/content/member/ContentPage.tsx', () => import('../../content/member/ContentPage.tsx'))
  return [
    {
      Component: Shell,
      ErrorBoundary: RouteError,
      loader: async ({ request }) => {
        await parts.beforePage?.(new URL(request.url))
        await settleContent(deps, frameContent)
        return null
      },
      shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
      children: [
        content('/'),
        ...(config.hasDiscoverPage ? [content('/discover')] : []),
        content('/how-it-works'),
        page(deps, '/earn', 'src/content/member/EarnPage.tsx', () => import('../../content/member/EarnPage.tsx')),
        content('/earn/*'),
        ...config.extraPaths.map((path) => content(path)),
        page(
          deps,
          '/search',
          'src/merchants/member/SearchPage.tsx',
          () => import('../../merchants/member/SearchPage.tsx'),
        ),
        forward('/merchants', '/search'),
        page(
          deps,
          '/merchants/:merchantId',
          'src/merchants/member/MerchantPage.tsx',
          () => import('../../merchants/member/MerchantPage.tsx'),
        ),
        page(
          deps,
          '/merchants/:merchantId/order-online',
          'src/merchants/member/MerchantPage.tsx',
          () => import('../../merchants/member/MerchantPage.tsx'),
        ),
        ...(config.enrollmentType === 'none' ? [] : memberRoutes(boot, deps)),
        ...(boot.stagingTools
          ? [
              page(
                deps,
                '/staging-tools/outbox',
                'src/mail/member/OutboxPage.tsx',
                () => import('../../mail/member/OutboxPage.tsx'),
              ),
              page(
                deps,
                '/staging-tools/states',
                'src/staging/member/StatesPage.tsx',
                () => import('../../staging/member/StatesPage.tsx'),
              ),
              page(
                deps,
                '/staging-tools/native',
                'src/staging/member/NativePage.tsx',
                () => import('../../staging/member/NativePage.tsx'),
              ),
              page(
                deps,
                '/staging-tools',
                'src/staging/member/StagingPage.tsx',
                () => import('../../staging/member/StagingPage.tsx'),
              ),
            ]
          : []),
        ...['/surveys/success', '/surveys/error'].map((path) =>
          page(
            deps,
            path,
            'src/surveys/member/SurveyResultPage.tsx',
            () => import('../../surveys/member/SurveyResultPage.tsx'),
          ),
        ),
        { path: '/error', caseSensitive: true, Component: ErrorPage },
        { path: '/not_found', caseSensitive: true, Component: NotFoundPage },
        {
          path: '*',
          loader: () => {
            throw new Response(null, { status: 404 })
          },
        },
      ],
    },
  ]
}

function memberRoutes({ config }: Boot, deps: PageDeps): RouteObject[] {
  return [
    ...['/activate', '/activate/*'].map((path) =>
      page(
        deps,
        path,
        'src/activation/member/ActivationPage.tsx',
        () => import('../../activation/member/ActivationPage.tsx'),
      ),
    ),
    page(deps, '/join', 'src/enrollment/member/JoinPage.tsx', () => import('../../enrollment/member/JoinPage.tsx')),
    page(
      deps,
      '/add_card',
      'src/enrollment/member/AddCardPage.tsx',
      () => import('../../enrollment/member/AddCardPage.tsx'),
    ),
    page(
      deps,
      '/card_added',
      'src/enrollment/member/CardAddedPage.tsx',
      () => import('../../enrollment/member/CardAddedPage.tsx'),
    ),
    page(
      deps,
      '/card_move',
      'src/cards/member/AnswerMovePage.tsx',
      () => import('../../cards/member/AnswerMovePage.tsx'),
    ),
    ...(config.enrollmentType === 'direct'
      ? [
          page(deps, '/login', 'src/session/member/LoginPage.tsx', () => import('../../session/member/LoginPage.tsx')),
          ...recovery.map(([path, load, module]) => page(deps, path, module, load)),
        ]
      : [forwardToServer('/login', '/Login')]),
    {
      path: '/account',
      caseSensitive: true,
      lazy: async () => ({ Component: (await import('../../members/member/AccountLayout.tsx')).AccountLayout }),
      children: [
        ...account.map(([path, load, module]) => page(deps, path, module, load)),
        ...(config.openTableReservationsEnabled
          ? [
              page(
                deps,
                'reservations',
                'src/reservations/member/ReservationsPage.tsx',
                () => import('../../reservations/member/ReservationsPage.tsx'),
              ),
            ]
          : []),
        { index: true, ...forward('', '/account/overview'), path: undefined } as RouteObject,
        forward('*', '/account/overview'),
      ],
    },
  ]
}
