import { Writable } from 'node:stream'
import { renderToPipeableStream } from 'react-dom/server'
import { getMember } from '../../identity/members/contract.ts'
import { createServerApi, type Invoke } from '../../platform/browser/api.ts'
import { apiQueryKey } from '../../platform/browser/query.ts'
import { QueryCache } from '../../platform/browser/query-cache.ts'
import { PageNotFound, Redirect } from '../../platform/browser/router/redirect.ts'
import { createStaticRouter } from '../../platform/browser/router/router.ts'
import { userState } from '../../programs/content/audience.ts'
import { fillSharedContent, isSharedContent, onlyShown } from '../../programs/content/member/embed/use-content.ts'
import { App } from './App.tsx'
import { type Boot, createBoot, type PageBoot, type ProgramFile } from './boot.ts'
import { type Failure, loadPage, type PageDeps } from './page.ts'
import { laterLinks, pageDataElement } from './page-data.ts'
import { pageStatus } from './page-status.ts'
import { createRoutes } from './routes.tsx'

export { fontLinks } from '../../ui/fonts.ts'

export interface RenderRequest {
  url: string
  /** This page's part of the start data, and that of the program with the address of its file. */
  pageBoot: PageBoot
  program: { href: string; content: ProgramFile }
  /** Makes the page's calls. */
  invoke: Invoke
  /** Waits until this request may take the thread for long. */
  nextTurn: () => Promise<void>
  signedIn: boolean
  /** Identifies this request in the log. */
  reference: string
  /** The only inline script: it loads the client. */
  loader: string
  /** Returns the files that modules need. */
  preload: (modules: string[]) => string[]
  /** Font files to preload. */
  fontFiles: string[]
  /** Returns the styles that a rendered page contains; empty when it links them. */
  stylesOf: (html: string) => string
  signal: AbortSignal
  onError: (error: unknown) => void
}

export type RenderResult =
  | { kind: 'redirect'; to: string; status: number }
  | {
      kind: 'page'
      html: string
      status: number
      /** Its inline style; empty without one. */
      style: string
      /** Value of the Link header: what the first screen loads. Empty when it is nothing. */
      links: string
    }

const renderTimeoutMs = 6_000

/** Renders one page of a program: runs the loaders of its route, then renders the whole document. */
export async function render(request: RenderRequest): Promise<RenderResult> {
  const api = createServerApi(request.invoke)
  const cache = new QueryCache()
  const { pageBoot, program } = request
  const boot = createBoot(program.content, pageBoot)
  const member = request.signedIn ? await api.call(getMember, {}) : null
  cache.set(apiQueryKey(getMember, {}), member)
  const state = userState(member, boot.known)
  const deps = { api, cache, config: boot.config, preview: boot.preview }
  fillSharedContent(deps, boot.content)
  const loaded = await loadOrRedirect(request, boot, deps)
  if (loaded instanceof Redirect) return { kind: 'redirect', to: loaded.to, status: 302 }
  await request.nextTurn()
  request.signal.throwIfAborted()
  const page = { ...loaded, failure: loaded.failure && shownFailure(loaded.failure, request.reference) }
  let images = ''
  const html = await renderDocument(
    <App boot={boot} api={api} cache={cache} router={createStaticRouter(new URL(request.url), page, boot.passed)} />,
    {
      onError: request.onError,
      onHeaders: (headers) => {
        images = headers.Link ?? ''
      },
    },
    request.signal,
  )
  const data = pageDataElement({
    boot: pageBoot,
    program: program.href,
    queries: cache
      .results()
      .filter(([key]) => !isSharedContent(key))
      .map(([key, data]) => [key, onlyShown(key, data, { state, config: boot.config })]),
    failure: page.failure,
  })
  const loader = `<script>${request.loader}</script>`
  const style = request.stylesOf(html)
  const head = (style && `<style>${style}</style>`) + fontLinksOf(request)
  const later = laterLinks(scriptLinks(request, page.module === null ? [] : [page.module]))
  const [headEnd, bodyEnd] = [html.indexOf('</head>'), html.lastIndexOf('</body></html>')]
  return {
    kind: 'page',
    style,
    links: linkHeader(images, request.fontFiles),
    html: html.slice(0, headEnd) + head + html.slice(headEnd, bodyEnd) + data + later + loader + html.slice(bodyEnd),
    status: pageStatus(page.failure),
  }
}

// Not rendered by React: hydration would need them in the page data.
const link = (rel: string, href: string) => `<link ${rel} href="${href}">`

/** The fonts of the first screen. */
function fontLinksOf({ fontFiles }: RenderRequest): string {
  return fontFiles.map((href) => link('rel="preload" as="font" type="font/woff2" crossorigin', href)).join('')
}

/**
 * Returns the Link header of a page, which a proxy can send ahead of the page (103 Early Hints): the images of the first
 * screen, then its fonts. Scripts are not in it: they would delay both.
 */
function linkHeader(images: string, fontFiles: readonly string[]): string {
  const fonts = fontFiles.map((href) => `<${href}>; rel=preload; as=font; type="font/woff2"; crossorigin`)
  const value = [images, ...fonts].filter(Boolean).join(', ')
  // An address with other characters is no header.
  return /^[ -~]*$/.test(value) ? value : ''
}

/** What hydration needs; requested after the first paint. */
function scriptLinks({ pageBoot, program, preload }: RenderRequest, modules: string[]): string {
  return [
    ...preload(modules).map((href) => link('rel="modulepreload"', href)),
    link('rel="preload" as="fetch" crossorigin="anonymous"', program.href),
    ...(pageBoot.laterStyles ? [link('rel="preload" as="style"', pageBoot.laterStyles)] : []),
  ].join('')
}

async function loadOrRedirect({ url, onError }: RenderRequest, boot: Boot, deps: PageDeps) {
  try {
    return await loadPage(
      createRoutes(boot),
      deps,
      new URL(url),
      (error) => error instanceof PageNotFound || onError(error),
    )
  } catch (thrown) {
    if (thrown instanceof Redirect) return thrown
    throw thrown
  }
}

/**
 * Returns the failure as the page shows it. A failure of the server has a reference to the log; a not-found page has
 * none, because it is cached for all visitors.
 */
function shownFailure({ status, reference }: Failure, own: string): Failure {
  return { status, reference: status < 500 ? '' : reference || own }
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
