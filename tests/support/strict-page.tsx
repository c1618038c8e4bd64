import { type ReactNode, StrictMode, Suspense, startTransition, useLayoutEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { cancelReservation, getAvailability } from '../../src/dining/reservations/contract.ts'
import { ConfirmTable } from '../../src/dining/reservations/member/ConfirmTable.tsx'
import { type Api, ApiCallError } from '../../src/platform/browser/api.ts'
import { useApiQuery } from '../../src/platform/browser/query.ts'
import { QueryCache } from '../../src/platform/browser/query-cache.ts'
import { Navigate } from '../../src/platform/browser/router/Link.tsx'
import { RouterProvider, useLocation, useNavigate } from '../../src/platform/browser/router/RouterProvider.tsx'
import { createStaticRouter, type Router } from '../../src/platform/browser/router/router.ts'
import { useSuspenseQuery } from '../../src/platform/browser/use-query.ts'
import { useApiMutation } from '../../src/programs/content/member/embed/use-api-mutation.ts'
import { ProgramContext } from './program-context.tsx'

/** A call of the API by a component, which the test ends. */
interface RecordedCall {
  id: string
  given: unknown
  resolve: (result: unknown) => void
  fail: (status: number) => void
}

let calls: RecordedCall[] = []
const api: Api = {
  call: (call, given) =>
    new Promise((resolve, reject) => {
      const fail = (status: number) => reject(new ApiCallError(status, { code: 'x', title: `status ${status}` }))
      calls.push({ id: call.id, given, resolve: resolve as never, fail })
    }),
}

const program = { config: { hasReservationBonus: false } }

function Cancellations({ queued }: { queued: boolean }) {
  const [ended, setEnded] = useState('')
  const { run, isPending, problem } = useApiMutation(cancelReservation, {
    queued,
    onSuccess: (_result, { params }) => setEnded((before) => `${before}${params.reservationId} `),
  })
  return (
    <section aria-label={queued ? 'queued' : 'single'}>
      {['a', 'b'].map((reservationId) => (
        <button type="button" key={reservationId} onClick={() => run({ params: { reservationId }, query: {} })}>
          {reservationId}
        </button>
      ))}
      <output>{isPending ? 'pending' : (problem ?? ended)}</output>
    </section>
  )
}

const late = { key: ['late'], load: async () => 'late data' }

/** A component that has further hooks after the query for which it waits. */
function Late() {
  const data = useSuspenseQuery(late)
  const [suffix] = useState('and state')
  return (
    <p>
      {data} {suffix}
    </p>
  )
}

/** Returns a router that goes to each address at once. */
function createInstantRouter(): Router {
  const first = createStaticRouter(new URL('/first', window.location.href), { params: {} })
  const listeners = new Set<() => void>()
  let state = first.state()
  return {
    ...first,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async navigate(to) {
      state = { ...state, location: { ...state.location, pathname: String(to), key: String(to) } }
      for (const listener of listeners) listener()
    },
  }
}

/** A page that leads to another one before the provider around it listens to the router. */
function Leading() {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  useLayoutEffect(() => void navigate('/second'), [navigate])
  return <p>page {pathname}</p>
}

/** A page that another part leaves while it appears, and that would redirect. */
function Redirecting() {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  useLayoutEffect(() => void navigate('/second'), [navigate])
  return pathname === '/first' ? <Navigate to="/third" /> : <p>page {pathname}</p>
}

function Led({ children }: { children: ReactNode }) {
  const [router] = useState(createInstantRouter)
  return <RouterProvider router={router}>{children}</RouterProvider>
}

function FreeTimes() {
  const { data } = useApiQuery(getAvailability, {
    params: { merchantId: 'm-1' },
    query: { date: selection.date, time: selection.time, partySize: selection.partySize },
  })
  return <output>{data?.state}</output>
}

const selection = { merchantId: 'm-1', date: '2026-12-01', time: '19:00', partySize: 2 }

function Page() {
  const [showsLate, setShowsLate] = useState(false)
  const [isLed, setLed] = useState(false)
  const [isRedirected, setRedirected] = useState(false)
  const [showsTimes, setShowsTimes] = useState(false)
  const [attempt, setAttempt] = useState<number | null>(null)
  return (
    <>
      <button type="button" onClick={() => setAttempt((before) => (before ?? 0) + 1)}>
        book
      </button>
      {attempt !== null && (
        <ConfirmTable
          key={attempt}
          merchant={{ id: 'm-1', name: 'Amore' }}
          selection={selection}
          onClose={() => setAttempt(null)}
        />
      )}
      <Cancellations queued={false} />
      <Cancellations queued />
      <button type="button" onClick={() => startTransition(() => setShowsLate(true))}>
        late
      </button>
      <button type="button" onClick={() => setLed(true)}>
        lead
      </button>
      {isLed && (
        <Led>
          <Leading />
        </Led>
      )}
      <button type="button" onClick={() => setRedirected(true)}>
        redirect
      </button>
      {isRedirected && (
        <Led>
          <Redirecting />
        </Led>
      )}
      <button type="button" onClick={() => setShowsTimes(true)}>
        times
      </button>
      {showsTimes && <FreeTimes />}
      <Suspense>{showsLate && <Late />}</Suspense>
    </>
  )
}

/**
 * Shows components in the current window, with React's development build, in which StrictMode runs every effect twice, and
 * with an API that records its calls. Returns these, and a function that ends the components.
 */
export function showStrictly(): { calls: readonly RecordedCall[]; end: () => void } {
  calls = []
  const root = createRoot(document.body)
  root.render(
    <StrictMode>
      <ProgramContext
        program={program}
        api={api}
        cache={new QueryCache()}
        router={createStaticRouter(new URL(window.location.href), { params: {} })}
      >
        <Page />
      </ProgramContext>
    </StrictMode>,
  )
  return { calls, end: () => root.unmount() }
}
