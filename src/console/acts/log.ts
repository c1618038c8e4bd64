import { actName, objectName, objectTypesNamed, outcomeOf } from '../../console-kit/act-words.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { InstallationCtx, OperatorCtx } from '../../platform/http/operator.ts'
import type { HttpContext } from '../../platform/http/register-route.ts'
import { sendCsv } from '../../platform/http/send-csv.ts'
import type { ActDetail, ListedAct } from './contract.ts'
import * as store from './log-store.ts'
import type { ActFilters } from './schemas.ts'
import { findLastCheck } from './verify.ts'

const scopeOf = (ctx: OperatorCtx | InstallationCtx): store.ActScope =>
  'programsWith' in ctx
    ? { programs: ctx.programsWith('audit.read'), withInstallation: ctx.mayEverywhere('audit.read'), timeZone: 'UTC' }
    : { programs: [ctx.partnerId], withInstallation: false, timeZone: ctx.program.config.timeZone }

function toListed({ objectType, objectId, objectLabel, at, ...act }: store.StoredAct): ListedAct {
  const { id, operatorName, action, program, reason, status, isAsked } = act
  const object = { type: objectType, id: objectId, label: objectLabel }
  return { id, at: at.toISOString(), operatorName, action, program, object, reason, status, isAsked }
}

/** Returns what the text of the filter by object may mean. */
async function meantBy(ctx: OperatorCtx | InstallationCtx, { object = '' }: ActFilters): Promise<store.Meant> {
  const text = object.trim()
  if (text === '') return { types: [], members: [] }
  const databases =
    'programsWith' in ctx ? ctx.programsWith('audit.read').map((program) => ctx.inProgram(program).db) : [ctx.db]
  const members = await Promise.all(databases.map((db) => store.findMemberIds(db, text)))
  return { types: objectTypesNamed(text), members: members.flat() }
}

type PageQuery = ActFilters & { cursor?: string | undefined; limit: number }

/** Returns one page of the entries that the operator may read. */
export async function listActs(ctx: OperatorCtx | InstallationCtx, query: PageQuery) {
  const { rows, next, total } = await store.listActs(ctx.db, scopeOf(ctx), await meantBy(ctx, query), query)
  return { items: rows.map(toListed), next, total }
}

/** Returns an entry with what was changed. Throws `notFound`. */
export async function getAct(ctx: OperatorCtx | InstallationCtx, id: number): Promise<ActDetail> {
  const act = await store.findAct(ctx.db, scopeOf(ctx), id)
  if (!act) throw new ApiError('notFound')
  const { operatorId, address, requestId, before, after, hash } = act
  const memberId = await memberOf(ctx, act)
  return { ...toListed(act), operatorId, address, requestId, before, after, memberId, hash: hash.toString('hex') }
}

async function memberOf(ctx: OperatorCtx | InstallationCtx, { memberId, program }: store.StoredAct) {
  if (memberId === null || program === null) return null
  const { db } = 'programsWith' in ctx ? ctx.inProgram(program) : ctx
  return store.findMemberPublicId(db, memberId)
}

const headings = [
  'Id',
  'Time (UTC)',
  'Operator',
  'What',
  'Action',
  'Program',
  'Object',
  'Object id',
  'About',
  'Reason',
  'Before',
]
const columns = [...headings, 'After', 'Outcome', 'Status', 'Address', 'Request', 'Hash']

/** Sends the entries as a CSV file. The export is recorded before its first line is sent. */
export async function exportActs(
  ctx: OperatorCtx | InstallationCtx,
  filters: ActFilters,
  http: HttpContext,
): Promise<void> {
  const scope = scopeOf(ctx)
  await inTransaction(ctx.db, (tx) =>
    ctx.record(tx, { object: { type: 'audit-log', id: 'export' }, after: { filters } }),
  )
  const acts = store.readActs(ctx.db, scope, await meantBy(ctx, filters), filters)
  async function* pages() {
    for await (const page of acts) yield page.map(toCells)
  }
  await sendCsv(http, { name: 'audit-log.csv', columns, pages: pages() })
}

const toCells = (act: store.StoredAct): (string | number)[] => [
  act.id,
  act.at.toISOString(),
  act.operatorName,
  actName(act.action, act),
  act.action,
  act.program ?? '',
  objectName(act.objectType),
  act.objectId,
  act.objectLabel,
  act.reason,
  JSON.stringify(act.before),
  JSON.stringify(act.after),
  outcomeOf(act).label,
  act.status,
  act.address,
  act.requestId,
  act.hash.toString('hex'),
]

/** Returns what the last check of the whole log found. */
export async function getActsCheck({ db }: InstallationCtx) {
  const check = await findLastCheck(db)
  return { check: check && { ...check, at: check.at.toISOString() } }
}
