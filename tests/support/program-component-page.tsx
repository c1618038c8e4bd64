import { createElement, type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { AuthArea } from '../../src/app/shell/member/AuthArea.tsx'
import { Footer } from '../../src/app/shell/member/Footer.tsx'
import { MainMenu } from '../../src/app/shell/member/MainMenu.tsx'
import { ModeSwitch } from '../../src/app/shell/member/ModeSwitch.tsx'
import { Navbar } from '../../src/app/shell/member/Navbar.tsx'
import { PopUps } from '../../src/app/shell/member/PopUps.tsx'
import { useRetainedFocus } from '../../src/app/shell/member/use-retained-focus.ts'
import type { LoadedPage } from '../../src/app/web/page.ts'
import { ShownPage } from '../../src/app/web/ShownPage.tsx'
import { cancelReservation } from '../../src/dining/reservations/contract.ts'
import { ImpersonationBanner } from '../../src/identity/impersonation/member/embed/ImpersonationBanner.tsx'
import { memberQuery } from '../../src/identity/members/member/embed/use-member.ts'
// Loaded with the page, so that the session is kept from its first turns.
import '../../src/identity/session/member/embed/MemberSession.tsx'
import { SessionKeeper } from '../../src/identity/session/member/embed/SessionKeeper.tsx'
import { SignedOutNotice } from '../../src/identity/session/member/embed/SignedOutNotice.tsx'
import { type Api, ApiCallError } from '../../src/platform/browser/api.ts'
import { QueryCache } from '../../src/platform/browser/query-cache.ts'
import { createStaticRouter, type Router } from '../../src/platform/browser/router/router.ts'
import { useDebouncedValue } from '../../src/platform/browser/use-debounced-value.ts'
import { useIdleTurns } from '../../src/platform/browser/use-idle-turn.ts'
import { useLocalTime } from '../../src/platform/browser/use-local-time.ts'
import { NotLoaded } from '../../src/programs/content/member/embed/lazy-part.tsx'
import { SmartLink } from '../../src/programs/content/member/embed/SmartLink.tsx'
import { useApiMutation } from '../../src/programs/content/member/embed/use-api-mutation.ts'
import { contentQuery, fillSharedContent } from '../../src/programs/content/member/embed/use-content.ts'
import { InstallBanner } from '../../src/programs/pwa/member/embed/InstallBanner.tsx'
import { UpdateScreen } from '../../src/programs/pwa/member/embed/UpdateScreen.tsx'
import { SurveyBars } from '../../src/programs/surveys/member/embed/SurveyBars.tsx'
import { AdTags } from '../../src/programs/tracking/member/embed/AdTags.tsx'
import { Tracking } from '../../src/programs/tracking/member/embed/Tracking.tsx'
import { useImpression } from '../../src/programs/tracking/member/embed/use-impression.ts'
import { useLiveActivity } from '../../src/rewards/activity/member/embed/use-live-activity.ts'
import { ToastProvider } from '../../src/ui/Toasts.tsx'
import { ProgramContext } from './program-context.tsx'

// Imported once there is a window: React looks for one when it is loaded.

let reports: string[] = []
const report = (text: string) => void reports.push(text)

/** How the next write calls end: the status and the code of a failure, and what they wait for. */
let outcome: { status: number; code: string; after?: Promise<void> } = { status: 200, code: '' }
const api: Api = {
  call: async () => {
    const { status, code, after } = outcome
    await after
    if (status !== 200) throw new ApiCallError(status, { code, title: 'no' })
    return {} as never
  },
}

function Cancel({ staysOn401 = false, name = 'first' }: { staysOn401?: boolean; name?: string }) {
  const { run, problem } = useApiMutation(cancelReservation, {
    staysOn401,
    onSuccess: () => report(`success of the ${name}`),
    onFailure: (message) => report(`failure ${message}`),
    onSettled: () => report('settled'),
  })
  return (
    <>
      <button type="button" onClick={() => void run({ params: { reservationId: 'a' }, query: {} })}>
        cancel
      </button>
      <output>{problem}</output>
    </>
  )
}

function Seen({ name = 'first' }: { name?: string }) {
  const element = useImpression<HTMLParagraphElement>(() => report(name))
  return <p ref={element}>card</p>
}

function Moments() {
  const [day, moment] = [useLocalTime('day'), useLocalTime('moment')]
  return (
    <output>
      {day('2026-03-10T02:30:00Z')} / {moment('2026-03-10T02:30:00Z')}
    </output>
  )
}

function Turns({ isReady }: { isReady: boolean }) {
  return <output>{useIdleTurns(isReady, 3)}</output>
}

function Debounced({ value }: { value: string }) {
  return <output>{useDebouncedValue(value, 300)}</output>
}

function Live() {
  useLiveActivity()
  return null
}

function Removable() {
  useRetainedFocus()
  const [isShown, setShown] = useState(true)
  return (
    <main id="main" tabIndex={-1}>
      <section>
        <h2>Cards</h2>
        {isShown && (
          <p>
            <button type="button">remove</button>
          </p>
        )}
        <input aria-label="Name" />
      </section>
      <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={() => setShown(false)}>
        elsewhere
      </button>
    </main>
  )
}

/** An input that has the focus before the part beside it appears. */
function Typing({ children }: { children: ReactNode }) {
  return (
    <>
      <input aria-label="Bill" ref={(input) => input?.focus()} />
      {children}
    </>
  )
}

const withToasts = (part: ReactNode) => (
  <ToastProvider regionLabel="Notifications" dismissLabel="Dismiss">
    {part}
  </ToastProvider>
)

const parts = {
  cancel: (props: { staysOn401?: boolean; name?: string }) => <Cancel {...props} />,
  seen: (props: { name?: string }) => <Seen {...props} />,
  moments: () => <Moments />,
  turns: (props: { isReady: boolean }) => <Turns {...props} />,
  debounced: (props: { value: string }) => <Debounced {...props} />,
  removable: () => <Removable />,
  account: () => <AuthArea enrolling={false} />,
  menu: () => <MainMenu />,
  mode: () => <ModeSwitch />,
  navbar: () => <Navbar />,
  footer: () => <Footer />,
  popUps: ({ isTyping = false }: { isTyping?: boolean }) =>
    isTyping ? (
      <Typing>
        <PopUps />
      </Typing>
    ) : (
      <PopUps />
    ),
  impersonation: () => <ImpersonationBanner />,
  session: () => withToasts(<SessionKeeper />),
  signedOut: () => withToasts(<SignedOutNotice />),
  update: () => <UpdateScreen />,
  tags: () => <AdTags />,
  tracking: () => <Tracking />,
  install: () => <InstallBanner />,
  notLoaded: () => <NotLoaded />,
  live: () => <Live />,
  page: () => <ShownPage />,
  surveys: () => <SurveyBars />,
  links: () => (
    <>
      {['/search', '/Login', '/preview/leave', '/api/docs', 'https://a.example/'].map((href) => (
        <SmartLink key={href} href={href} newTab={href === '/search' || href.startsWith('https:')}>
          {href}
        </SmartLink>
      ))}
    </>
  ),
} as const satisfies Record<string, (props: never) => ReactNode>

type Parts = typeof parts

/** A router whose address and page a test sets. */
function createSettableRouter() {
  const first = createStaticRouter<LoadedPage>(new URL(window.location.href), { params: {} } as LoadedPage)
  const listeners = new Set<() => void>()
  let state = first.state()
  const router: Router<LoadedPage> = {
    ...first,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const goTo = (pathname: string, page: Partial<LoadedPage> = {}) => {
    state = {
      ...state,
      location: { ...state.location, pathname, key: pathname },
      page: { params: {}, ...page } as never,
    }
    for (const listener of listeners) listener()
  }
  return { router, goTo }
}

/** The program and the visitor that a component sees. */
export interface Surroundings {
  program?: object
  member?: object | null
  /** Entries of the collections that most pages show. */
  content?: object
  surveys?: readonly object[]
  /** Entries with the general pop-ups. */
  popups?: readonly object[]
}

/** Shows a component of a program in the current window. */
export function showInProgram<N extends keyof Parts>(
  name: N,
  props: Parameters<Parts[N]>[0] | object = {},
  { program = {}, member = null, content = {}, surveys = [], popups = [] }: Surroundings = {},
) {
  reports = []
  outcome = { status: 200, code: '' }
  const cache = new QueryCache()
  cache.set(memberQuery(api).key, member)
  const facts = {
    config: { cmsRoute: '/api/cms', enrollmentType: 'direct' },
    preview: false,
    nativeApp: null,
    ...program,
  }
  fillSharedContent({ api, cache, ...facts } as never, { '*': [], announcement_banner: [], sidebar: [], ...content })
  const source = { api, config: facts.config, preview: false } as never
  cache.set(contentQuery(source, 'surveys').key, { data: surveys.map((fields) => ({ slug: 'any', fields })) as never })
  cache.set(contentQuery(source, 'popup').key, { data: popups as never })
  const { router, goTo } = createSettableRouter()
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  const show = (next: object) =>
    root.render(
      <ProgramContext program={facts} api={api} cache={cache} router={router}>
        {createElement(parts[name] as never, next)}
      </ProgramContext>,
    )
  show(props)
  const endWith = (next: typeof outcome) => {
    outcome = next
  }
  const setMember = (next: object | null) => cache.set(memberQuery(api).key, next)
  return { reports, show, goTo, endWith, setMember, cache, end: () => root.unmount() }
}

/** A page that cannot be rendered, and one that can. */
export const pages = {
  failing: {
    page: {
      Page: (): ReactNode => {
        throw new ApiCallError(503, { code: 'busy', reference: 'r-1' })
      },
    },
  },
  working: { page: { Page: () => <h1>It works</h1> } },
  missing: {
    page: { Page: () => null, NotFound: () => <h1>No such restaurant</h1> },
    failure: { status: 404, reference: '' },
  },
  gone: { page: null },
}
