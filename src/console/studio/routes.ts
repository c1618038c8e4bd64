import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pools } from '../../platform/database/db.ts'
import { ApiError, ValidationError } from '../../platform/errors.ts'
import { csp, NONE, SELF } from '../../platform/http/csp.ts'
import type { Fields } from '../../programs/content/check.ts'
import { signPreviewPass } from '../../programs/content/preview.ts'
import * as content from '../../programs/content/service.ts'
import { type ConsoleUi, mayAccessProgram, mayEdit, sendConsolePage } from '../operators/service.ts'
import { findMessages, jsonSchemaOf, maxMessages } from './entries.ts'
import { entryHref, messagesEntry } from './entry-href.ts'
import { applyListAction, readForm } from './form.ts'
import { noticeOf, problemOf } from './messages.ts'
import type * as studioPages from './pages.tsx'
import { unsavedScript, unsavedScriptPath } from './unsaved-script.ts'

export interface StudioDeps {
  /** Connections of the console's role. */
  pools: Pools
  programs: ReadonlyMap<string, { config: { name: string; programName: string } }>
  previewKey: Buffer
  /** The content that this process shows. */
  content: Pick<content.ContentCache, 'refresh'>
  /** Whether a program that is not live yet shows its drafts to all visitors. */
  showsDrafts: (partnerId: string) => boolean
  /** Returns the origin of a program's pages. */
  origin: (partnerId: string) => string
  pages: ConsoleUi & typeof studioPages
}

interface Scope {
  partnerId: string
  name: string
  ctx: content.ContentCtx
  entry: content.EntryKey
  by: string
}

type Request = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, string> }>

/** The studio: editing, preview, publication and withdrawal of a program's content. */
export function studioRoutes(app: FastifyInstance, deps: StudioDeps): void {
  app.get('/programs', (request, reply) => {
    const operator = operatorOf(request)
    const programs = [...deps.programs]
      .filter(([id]) => mayAccessProgram(operator, id))
      .map(([id, { config }]) => ({
        id,
        name: config.programName,
        links: mayEdit(operator, id) ? [{ label: 'Content', href: `/${id}/content` }] : [],
      }))
    return sendConsolePage(deps, request, reply, {
      title: 'Programs',
      Page: deps.pages.ProgramsPage,
      props: { programs },
    })
  })
  app.get('/:partner/content', async (request: Request, reply) => {
    const scope = resolveScope(deps, request)
    if (!scope) return reply.callNotFound()
    const entries = await content.listContent(scope.ctx)
    const collections = Object.entries(content.collections).map(([name, known]) => ({
      name,
      title: known.title,
      isOpen: '*' in known.entries,
      entries: entries.filter(({ collection }) => collection === name),
    }))
    return sendConsolePage(deps, request, reply, {
      title: `Content of ${scope.name}`,
      breadcrumbs: [programsLink],
      Page: deps.pages.ListPage,
      props: { partnerId: scope.partnerId, collections },
    })
  })
  app.get('/:partner/:collection/new', (request: Request, reply) => {
    const slug = request.query.slug ?? ''
    const scope = resolveScope(deps, request)
    if (!scope || !/^[a-z0-9][a-z0-9_-]{0,79}$/.test(slug)) return reply.callNotFound()
    return reply.redirect(entryHref(scope.partnerId, { ...scope.entry, slug }), 303)
  })
  app.get('/:partner/:collection/:slug', async (request: Request, reply) => {
    const scope = resolveScope(deps, request)
    if (!scope) return reply.callNotFound()
    return showEntry(deps, request, reply, scope, {})
  })
  app.post('/:partner/:collection/:slug', async (request: Request, reply) => {
    const scope = resolveScope(deps, request)
    if (!scope) return reply.callNotFound()
    return saveEntry(deps, request, reply, scope)
  })
  app.get('/:partner/:collection/:slug/versions/:version', async (request: Request, reply) => {
    const scope = resolveScope(deps, request)
    if (!scope) return reply.callNotFound()
    const version = numberOf(request.params.version)
    const detail = await orNull(content.readEntry(scope.ctx, scope.entry))
    const fields = await orNull(content.readVersion(scope.ctx, { ...scope.entry, version }))
    if (!detail || (fields === null && !detail.versions.some((each) => each.version === version && each.removed)))
      return reply.callNotFound()
    const live = detail.live && (await content.readVersion(scope.ctx, { ...scope.entry, version: detail.live.version }))
    return sendConsolePage(deps, request, reply, {
      title: `${scope.entry.slug}, version ${version}`,
      breadcrumbs: [...trailOf(scope), { label: scope.entry.slug, href: entryHref(scope.partnerId, scope.entry) }],
      Page: deps.pages.VersionPage,
      props: { version: fields, live },
    })
  })
  app.get(unsavedScriptPath, (_request, reply) => reply.type('text/javascript; charset=utf-8').send(unsavedScript))
  app.post('/:partner/:collection/:slug/release', async (request: Request, reply) => {
    const scope = resolveScope(deps, request)
    if (!scope) return reply.callNotFound()
    return release(deps, request, reply, scope)
  })
}

const programsLink = { label: 'Programs', href: '/programs' }
const trailOf = ({ partnerId, name }: Scope) => [programsLink, { label: name, href: `/${partnerId}/content` }]

function operatorOf(request: FastifyRequest) {
  if (!request.consoleSession) throw new Error('a studio page without an operator')
  return request.consoleSession.operator
}

/** Resolves the request's program and entry; null when the operator has no access. */
function resolveScope({ pools, programs }: StudioDeps, request: Request): Scope | null {
  const { partner = '', collection = '', slug = '' } = request.params
  const operator = operatorOf(request)
  const program = programs.get(partner)
  if (!program || !mayEdit(operator, partner)) return null
  return {
    partnerId: partner,
    name: program.config.programName,
    ctx: { partnerId: partner, db: pools.forPartner(partner) },
    entry: { collection, slug },
    by: operator.email,
  }
}

interface Shown {
  fields?: Fields
  errors?: Record<string, string>
  problem?: string
}

/** Renders the entry's page: as saved, or as submitted with errors. */
async function showEntry(
  deps: StudioDeps,
  request: Request,
  reply: FastifyReply,
  scope: Scope,
  shown: Shown,
): Promise<unknown> {
  const schema = jsonSchemaOf(scope.entry)
  const detail = await orNull(content.readEntry(scope.ctx, scope.entry))
  if (!schema) return reply.callNotFound()
  const { csrfToken } = request.consoleSession as { csrfToken: string }
  const view = {
    partnerId: scope.partnerId,
    fields: shown.fields ?? detail?.fields ?? {},
    detail,
    errors: shown.errors ?? {},
    csrf: csrfToken,
    done: noticeOf(request.query.done ?? '', detail?.live != null),
    problem: problemOf(shown.problem ?? request.query.problem ?? ''),
    isSaved: shown.fields === undefined,
    showsDrafts: deps.showsDrafts(scope.partnerId),
  }
  const isMessages = scope.entry.collection === messagesEntry.collection
  const query = String((request.body instanceof URLSearchParams ? request.body.get('q') : request.query.q) ?? '')
  reply.header('content-security-policy', policyOf(deps, scope.partnerId))
  const frame = { title: scope.entry.slug, breadcrumbs: trailOf(scope) }
  if (!isMessages) {
    const props = { ...view, entry: scope.entry, schema }
    return sendConsolePage(deps, request, reply, { ...frame, Page: deps.pages.EntryPage, props })
  }
  const messages = findMessages(query, view.fields, view.errors)
  const props = { ...view, query, messages, isCut: messages.length === maxMessages }
  return sendConsolePage(deps, request, reply, { ...frame, Page: deps.pages.MessagesPage, props })
}

/** The console's content security policy plus the unsaved-changes script. Forms may redirect to a preview. */
function policyOf({ origin }: StudioDeps, partnerId: string): string {
  return csp({
    'default-src': NONE,
    'style-src': SELF,
    'img-src': SELF,
    'script-src': SELF,
    'form-action': [SELF, origin(partnerId)],
    'base-uri': NONE,
    'frame-ancestors': NONE,
  })
}

async function saveEntry(deps: StudioDeps, request: Request, reply: FastifyReply, scope: Scope): Promise<unknown> {
  const sent = request.body as URLSearchParams
  const act = sent.get('act') ?? 'save'
  const schema = jsonSchemaOf(scope.entry)
  if (!schema) return reply.callNotFound()
  const fields =
    scope.entry.collection === messagesEntry.collection
      ? await mergeMessages(scope, sent)
      : (readForm(schema, sent) as Fields)
  if (/^(add|drop|up|down):/.test(act))
    return showEntry(deps, request, reply, scope, { fields: applyListAction(fields, act) as Fields })
  const basedOn = numberOf(sent.get('basedOn'))
  let isUnchanged: boolean
  try {
    isUnchanged =
      (await content.saveDraft(scope.ctx, { ...scope.entry, fields, basedOn }, scope.by)).version === basedOn
  } catch (error) {
    if (error instanceof ValidationError) {
      const errors = Object.fromEntries(error.fields.map(({ field, message }) => [field, message]))
      return showEntry(deps, request, reply.code(400), scope, { fields, errors, problem: 'invalid' })
    }
    if (error instanceof ApiError)
      return showEntry(deps, request, reply.code(409), scope, { fields, problem: error.code })
    throw error
  }
  if (act !== 'preview') {
    await showChange(deps, request, scope)
    const done = isUnchanged ? 'unchanged' : deps.showsDrafts(scope.partnerId) ? 'savedAndShown' : 'saved'
    return reply.redirect(`${entryHref(scope.partnerId, scope.entry)}?done=${done}${searchOf(sent.get('q'))}`, 303)
  }
  const pass = signPreviewPass(deps.previewKey, { partnerId: scope.partnerId, editor: scope.by })
  const to = previewPathOf(scope.entry, fields)
  return reply.redirect(`${deps.origin(scope.partnerId)}/preview?pass=${pass}&to=${encodeURIComponent(to)}`, 303)
}

const searchOf = (query: string | null | undefined) => (query ? `&q=${encodeURIComponent(query)}` : '')

/** Merges the submitted messages into the stored ones; messages not shown on the page stay unchanged. */
async function mergeMessages(scope: Scope, sent: URLSearchParams): Promise<Fields> {
  const detail = await orNull(content.readEntry(scope.ctx, scope.entry))
  const fields: Fields = { ...detail?.fields }
  for (const key of sent.getAll('key')) {
    const text = sent.get(`word.${key}`) ?? ''
    if (text === '') delete fields[key]
    else fields[key] = text
  }
  return fields
}

function previewPathOf({ collection }: content.EntryKey, fields: Fields): string {
  if (collection === 'earn_details' && typeof fields.url === 'string') return fields.url
  return collection === 'discover' ? '/discover' : '/'
}

async function release(deps: StudioDeps, request: Request, reply: FastifyReply, scope: Scope): Promise<unknown> {
  const sent = request.body as URLSearchParams
  const { ctx, entry, by } = scope
  const [version, basedOn] = [numberOf(sent.get('version')), numberOf(sent.get('basedOn'))]
  const search = searchOf(request.query.q)
  const back = (query: string) => reply.redirect(`${entryHref(scope.partnerId, entry)}?${query}${search}`, 303)
  const done = async (notice: string) => {
    await showChange(deps, request, scope)
    return back(`done=${notice}`)
  }
  try {
    switch (sent.get('act')) {
      case 'publish': {
        const [from, until] = [momentOf(sent.get('from')), momentOf(sent.get('until'))]
        if (from === null || until === null) return back('problem=badMoment')
        await content.publish(ctx, { ...entry, version, ...(from && { from }), ...(until && { until }) }, by)
        if (from && from.getTime() > Date.now()) return done('scheduled')
        return done((await findLive(scope))?.version === version ? 'published' : 'superseded')
      }
      case 'withdraw':
        await content.withdraw(ctx, { releaseId: numberOf(sent.get('release')) }, by)
        return done((await findLive(scope)) ? 'withdrawn' : 'notLive')
      case 'restore':
        await content.restore(ctx, { ...entry, version, basedOn }, by)
        return done('restored')
      case 'remove':
        await content.removeEntry(ctx, { ...entry, basedOn }, by)
        return done('removed')
      default:
        return reply.callNotFound()
    }
  } catch (error) {
    if (error instanceof ApiError) return back(`problem=${error.code}`)
    throw error
  }
}

/** Returns the release that visitors see now. */
const findLive = async ({ ctx, entry }: Scope) => (await content.readEntry(ctx, entry)).live

/**
 * Waits until this process shows a saved change: an editor who is told that it is live opens the page at once. Other
 * processes are notified. The change is saved even if reading it fails.
 */
async function showChange(deps: StudioDeps, request: Request, { partnerId }: Scope): Promise<void> {
  try {
    await deps.content.refresh(partnerId)
  } catch (error) {
    request.log.warn({ err: error, partner: partnerId }, 'content not refreshed')
  }
}

/** Parses a version or release number; 0, which is never assigned, for anything else. */
function numberOf(text: string | null | undefined): number {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0
}

/** Parses a `datetime-local` value as UTC: undefined when it is empty, null when it is not from 1900 to 2199. */
function momentOf(text: string | null): Date | undefined | null {
  if (!text) return undefined
  const date = new Date(`${text}Z`)
  return /^(19|20|21)\d\d-/.test(text) && !Number.isNaN(date.getTime()) ? date : null
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}
