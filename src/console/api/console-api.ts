import type { FastifyInstance, FastifyRequest } from 'fastify'
import { may, mayAccessProgram, mayEverywhere } from '../../console-kit/permissions.ts'
import { getSession } from '../../console-kit/session/contract.ts'
import type { CallSpec, PermissionName } from '../../platform/call.ts'
import { type Db, inTransaction, type Pools } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { Act, InstallationCtx, Operator, OperatorCtx } from '../../platform/http/operator.ts'
import { problemBody } from '../../platform/http/problem.ts'
import type { CallResult, GivenInput } from '../../platform/http/register-route.ts'
import { recordAct } from '../acts/service.ts'
import type { ConsoleSession } from '../operators/context.ts'
import { consoleText } from './copy.ts'

export interface ConsoleApiDeps {
  pools: Pools
  /** Codes of all programs. */
  programs: ReadonlyMap<string, unknown>
  passkeysRequired: boolean
  now: () => Date
  /** Creates the context of work for a program. */
  contextOf: (partnerId: string, work: Pick<Ctx, 'requestId' | 'address' | 'userAgent' | 'log'>) => Ctx
}

/** The context of an operator's request, before its permission is checked. */
type ConsoleCtx = (OperatorCtx | InstallationCtx) & {
  operator: Operator
  acts: number
  partnerId?: string
  hasVerifiedPasskey: boolean
}

/**
 * Makes an app serve operators' calls: the context of a request, the check of the call's permission, and the entry in
 * the audit log. `registerRoute` then binds calls to it.
 */
export function serveOperators(app: FastifyInstance, deps: ConsoleApiDeps): void {
  app.decorate('calls', [])
  app.decorate('runCalls', new Map())
  app.decorate('isClosed', () => false)
  app.decorate('operatorMay', async () => false)
  app.decorate('recordOperatorCall', async () => {})
  app.decorateRequest('ctx', null as unknown as Ctx)
  app.decorate('runForOperator', (ctx, call, given, run) =>
    runForOperator(deps, ctx as unknown as ConsoleCtx, call, given, run),
  )
  app.addHook('onRequest', async (request) => {
    const session = request.consoleSession
    if (!session) return
    const { program } = request.params as { program?: string }
    const isKnown = program !== undefined && deps.programs.has(program)
    const ctx = isKnown ? programCtx(deps, request, session, program) : installationCtx(deps, request, session)
    request.ctx = Object.assign(ctx, { hasVerifiedPasskey: session.passkeyVerified }) as unknown as Ctx
  })
}

const workOf = ({ id, ip, headers, log }: FastifyRequest) => ({
  requestId: id,
  address: ip,
  userAgent: headers['user-agent'] ?? '',
  log,
})

function programCtx(
  deps: ConsoleApiDeps,
  request: FastifyRequest,
  { operator, csrfToken }: ConsoleSession,
  partnerId: string,
  counted: { acts: number } = { acts: 0 },
): OperatorCtx & { acts: number } {
  const ctx = deps.contextOf(partnerId, workOf(request))
  const { t } = ctx
  return {
    ...ctx,
    // A call about several programs has a context of each, and counts the acts in all of them.
    get acts() {
      return counted.acts
    },
    db: deps.pools.forPartner(partnerId),
    actor: {
      memberId: null,
      sessionId: null,
      csrfToken,
      operator: { id: operator.id, name: operator.name, mayChange: true },
    },
    operator,
    t: (key: string) => consoleText(key) ?? t(key),
    may: (permission: PermissionName) => may(operator, permission, partnerId),
    record: recorder(counted, { operator, partnerId, request }),
  }
}

function installationCtx(
  deps: ConsoleApiDeps,
  request: FastifyRequest,
  session: ConsoleSession,
): InstallationCtx & { acts: number } {
  const { operator, csrfToken } = session
  const counted = { acts: 0 }
  return Object.assign(counted, {
    db: deps.pools.shared,
    requestId: request.id,
    address: request.ip,
    now: deps.now,
    operator,
    // What `registerRoute` reads of every context.
    actor: { memberId: null, sessionId: null, csrfToken, operator: null },
    t: (key: string) => consoleText(key) ?? key,
    programsWith: (permission: PermissionName) =>
      [...deps.programs.keys()].filter((partnerId) => may(operator, permission, partnerId)),
    mayEverywhere: (permission: PermissionName) => mayEverywhere(operator, permission),
    inProgram: (partnerId: string) => programCtx(deps, request, session, partnerId, counted),
    record: recorder(counted, { operator, partnerId: null, request }),
  })
}

type Recorder = { operator: Operator; partnerId: string | null; request: FastifyRequest }

function recorder(counted: { acts: number }, { operator, partnerId, request }: Recorder): OperatorCtx['record'] {
  return async (tx, act) => {
    await recordAct(tx, { ...act, ...actOf(request), operator, partnerId, status: 200 })
    counted.acts++
  }
}

/** The id of the call that a request makes. Set by `runForOperator`. */
const actions = new WeakMap<object, string>()

function actOf(request: FastifyRequest) {
  return { action: actions.get(request.ctx) ?? 'unknown', address: request.ip, requestId: request.id }
}

async function runForOperator(
  deps: ConsoleApiDeps,
  ctx: ConsoleCtx,
  call: CallSpec,
  given: GivenInput,
  run: () => Promise<CallResult>,
): Promise<CallResult> {
  const refuse = (status: number, code: string) => ({
    status,
    body: problemBody(ctx.requestId, status, code, consoleText(`error.${code}`) ?? ''),
  })
  if (!ctx) throw new Error('an operator’s call without a session')
  actions.set(ctx, call.id)
  const refused = refusalOf(deps, ctx, call)
  const isAct = call.audited === true || (call.method !== 'GET' && call.readOnly !== true)
  const enter = (status: number) =>
    inTransaction(dbOf(deps), (tx) =>
      recordAct(tx, { ...defaultAct(call, given), ...whereOf(ctx), action: call.id, status }),
    )
  if (refused) {
    // Somebody tried what they may not do.
    if (isAct && refused[0] === 403) await enter(403)
    return refuse(...refused)
  }
  let result: CallResult
  try {
    result = await run()
  } catch (error) {
    if (isAct) await enter(500)
    throw error
  }
  if (!isAct) return result
  // A read that says more about itself, an export for example, has recorded its entry.
  if (result.status >= 400 || (call.audited === true && ctx.acts === 0)) await enter(result.status)
  else if (ctx.acts === 0) throw new Error(`${call.id} changed something without an entry in the audit log`)
  return result
}

const dbOf = ({ pools }: ConsoleApiDeps): Db => pools.shared

const whereOf = ({ operator, address, requestId, partnerId }: ConsoleCtx) => ({
  operator,
  address,
  requestId,
  partnerId: partnerId ?? null,
})

/** The act of a call that has recorded none itself: what its address names. */
function defaultAct({ path }: CallSpec, { params }: GivenInput): Act {
  const values = (params ?? {}) as Record<string, string>
  const parts = path.split('/')
  // `/api/programs/:program/claims/:id/decision` is about a claim.
  const at = parts.findIndex((part) => part.startsWith(':') && part !== ':program')
  const id = (at < 0 ? undefined : values[parts[at]?.slice(1) ?? '']) ?? values.program ?? ''
  const noun = (at < 0 ? parts.at(-1) : parts[at - 1])?.replace(/\.csv$/, '') ?? ''
  return { object: { type: noun.slice(0, 60), id: id.slice(0, 200) } }
}

function refusalOf(deps: ConsoleApiDeps, ctx: ConsoleCtx, call: CallSpec): [number, string] | null {
  const { operator, partnerId } = ctx
  const isAboutProgram = call.path.includes('/:program/')
  // Somebody else's program looks like one that does not exist.
  if (isAboutProgram && (partnerId === undefined || !mayAccessProgram(operator, partnerId))) return [404, 'notFound']
  const { permission } = call
  // The script needs it to lead to the page on which a passkey is added.
  if (call.id === getSession.id) return null
  if (deps.passkeysRequired && !ctx.hasVerifiedPasskey) return [403, 'passkeyRequired']
  if (permission === 'self') return null
  if (permission === undefined) throw new Error(`${call.id} has no permission`)
  const programs = isAboutProgram ? [partnerId ?? ''] : [...deps.programs.keys()]
  const sufficient = typeof permission === 'string' ? [permission] : permission
  return programs.some((code) => sufficient.some((each) => may(operator, each, code))) ? null : [403, 'notPermitted']
}
