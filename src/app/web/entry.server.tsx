import { Writable } from 'node:stream'
import { renderToPipeableStream } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, type StaticHandlerContext, StaticRouterProvider } from 'react-router'
import { getMember } from '../../identity/members/contract.ts'
import { ApiCallError, createServerApi, type Invoke } from '../../platform/browser/api.ts'
import { apiQueryKey } from '../../platform/browser/query.ts'
import { App } from './App.tsx'
import type { Boot } from './boot.ts'
import { loaderScript, pageDataElement, queriesOf } from './page-data.ts'
import { pageStatus } from './page-status.ts'
import { createQueryClient } from './query-client.ts'
import { type RouteFailure, routeFailure } from './route-failure.ts'
import { createRoutes } from './routes.tsx'

export { fontLinks } from '../../ui/fonts.ts'

export interface RenderRequest {
  url: string
  boot: Boot
  /** Address of the file with the program's part of the start data. */
  programHref: string
  /** Makes the page's calls. */
  invoke: Invoke
  signedIn: boolean
  /** Identifies this request in the log. */
  reference: string
  /** The client's entry script and the modules to preload. */
  scripts: { entry: string; preload: (modules: string[]) => string[] }
  signal: AbortSignal
  onError: (error: unknown) => void
}

export type RenderResult =
  | { kind: 'redirect'; to: string; status: number }
  | { kind: 'page'; html: string; status: number }

const renderTimeoutMs = 6_000

/** Renders one page of a program: runs the loaders of its route, then renders the whole document. */
export async function render(request: RenderRequest): Promise<RenderResult> {
  const api = createServerApi(request.invoke)
  const cache = createQueryClient()
  cache.setQueryData(apiQueryKey(getMember, {}), request.signedIn ? await api.call(getMember, {}) : null)
  const routes = createRoutes(request.boot, { api, cache })
  const handler = createStaticHandler(routes)
  const context = await handler.query(new Request(request.url, { signal: request.signal }))
  if (context instanceof Response) {
    return { kind: 'redirect', to: context.headers.get('location') ?? '/', status: context.status }
  }
  reportErrors(context, request.onError)
  const status = pageStatus(context)
  const shown = { ...context, errors: context.errors && toRouteFailures(context.errors, request.reference) }
  const router = createStaticRouter(handler.dataRoutes, shown)
  const modules = context.matches.flatMap(
    (match) => (match.route.handle as { module?: string } | undefined)?.module ?? [],
  )
  const { boot, programHref, scripts } = request
  const html = await renderDocument(
    <App boot={boot} api={api} cache={cache}>
      <StaticRouterProvider router={router} context={shown} hydrate={false} />
    </App>,
    { onError: request.onError },
    request.signal,
  )
  const { config: _config, flags: _flags, messages: _messages, ...pageBoot } = boot
  const data = pageDataElement({
    boot: pageBoot,
    program: programHref,
    queries: queriesOf(cache),
    router: { loaderData: shown.loaderData, errors: shown.errors },
  })
  cache.clear()
  const loader = `<script>${loaderScript(scripts.entry)}</script>`
  return {
    kind: 'page',
    html: html
      .replace('</head>', () => `${preloadLinks(programHref, scripts.preload(modules))}</head>`)
      .replace(/<\/body><\/html>$/, () => `${data}${loader}</body></html>`),
    status,
  }
}

// Not rendered by React: hydration would need them in the page data.
function preloadLinks(programHref: string, modules: string[]): string {
  const program = `<link rel="preload" as="fetch" crossorigin="anonymous" href="${programHref}">`
  return program + modules.map((href) => `<link rel="modulepreload" href="${href}">`).join('')
}

function reportErrors(context: StaticHandlerContext, onError: (error: unknown) => void): void {
  for (const error of Object.values(context.errors ?? {})) {
    if (error instanceof Error) onError(error)
  }
}

/**
 * Returns the errors for the page: the status and, for a server error, a reference. Details are only logged. A
 * not-found page has no reference, because it is cached for all visitors.
 */
function toRouteFailures(errors: Record<string, unknown>, reference: string): Record<string, RouteFailure> {
  return Object.fromEntries(
    Object.entries(errors).map(([id, error]) => {
      const status = statusOf(error)
      const own = error instanceof ApiCallError ? error.reference : ''
      return [id, routeFailure(status, status < 500 ? '' : own || reference)]
    }),
  )
}

function statusOf(error: unknown): number {
  return typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500
}

type Options = Parameters<typeof renderToPipeableStream>[1]

/** Renders a tree completely. Rejects with the signal's reason when the client disconnects. */
function renderDocument(tree: React.ReactNode, options: Options, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(limit)
      signal.removeEventListener('abort', leave)
    }
    const leave = () => {
      settle()
      reject(signal.reason)
      stream.abort(signal.reason)
    }
    signal.addEventListener('abort', leave)
    const chunks: Buffer[] = []
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(Buffer.from(chunk))
        done()
      },
      final(done) {
        settle()
        resolve(Buffer.concat(chunks).toString('utf8'))
        done()
      },
    })
    const stream = renderToPipeableStream(tree, {
      ...options,
      // The page is sent as a whole: no hidden parts that a script moves into place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => stream.pipe(sink),
      onShellError: (error) => {
        settle()
        reject(error)
      },
    })
    const limit = setTimeout(() => stream.abort(new Error('rendering took too long')), renderTimeoutMs)
  })
}
