import { acquireAdvisoryLock, type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { OperatorCtx } from '../../platform/http/operator.ts'
import { flagsOf, maintenanceFlags, readSetFlags, setMaintenance, writeFlag } from '../../programs/partners/service.ts'
import type { Flag, Flags } from './contract.ts'
import { flagName } from './words.ts'

const isMaintenance = (name: string) => (maintenanceFlags as readonly string[]).includes(name)

/** Returns the flags of the program. The values that were set are those of the database, which processes follow. */
async function readFlags(ctx: OperatorCtx, db: Db | Tx): Promise<Flags> {
  const stored = await readSetFlags(db)
  const flags = flagsOf(ctx.program.config, ctx.flags).map(({ kind, name, value }): Flag => {
    const row = stored.find((each) => each.kind === kind && each.name === name)
    if (typeof row?.value !== 'boolean') return { kind, name, isOn: value, set: null }
    return { kind, name, isOn: row.value, set: { at: row.updatedAt.toISOString(), by: row.changedBy } }
  })
  const closed = flags.filter(({ kind, name, isOn }) => kind === 'authFlags' && isMaintenance(name) && isOn).length
  return { maintenance: closed === 0 ? 'off' : closed === maintenanceFlags.length ? 'on' : 'partly', flags }
}

/** Returns what is on in the program, since when, and by whom. */
export const listFlags = (ctx: OperatorCtx): Promise<Flags> => readFlags(ctx, ctx.db)

/** Two operators at once switch one after the other, and the second one sees what the first has done. */
const lockFlags = (tx: Tx, { partnerId }: OperatorCtx) => acquireAdvisoryLock(tx, `flags:${partnerId}`)

const words = (isOn: boolean) => (isOn ? 'on' : 'off')

interface Switched<State> {
  isOn: boolean
  was: State
  reason: string
}

/** Switches a flag. Throws `notFound`, and `conflict` when it is no longer as the operator saw it. */
export async function setFlag(
  ctx: OperatorCtx,
  { kind, name }: { kind: string; name: string },
  { isOn, was, reason }: Switched<boolean>,
): Promise<Flags> {
  return inTransaction(ctx.db, async (tx) => {
    await lockFlags(tx, ctx)
    const { flags } = await readFlags(ctx, tx)
    const flag = flags.find((each) => each.kind === kind && each.name === name)
    if (!flag) throw new ApiError('notFound')
    if (flag.isOn !== was) throw new ApiError('conflict')
    await writeFlag(tx, { kind, name, value: isOn }, ctx.operator.name)
    await ctx.record(tx, {
      object: { type: 'flag', id: `${kind}.${name}`, label: flagName(flag) },
      before: { [name]: words(was) },
      after: { [name]: words(isOn) },
      reason,
    })
    return readFlags(ctx, tx)
  })
}

/** Closes the program or opens it again. Throws `conflict` when it is no longer as the operator saw it. */
export async function switchMaintenance(
  ctx: OperatorCtx,
  { isOn, was, reason }: Switched<Flags['maintenance']>,
): Promise<Flags> {
  return inTransaction(ctx.db, async (tx) => {
    await lockFlags(tx, ctx)
    const { maintenance } = await readFlags(ctx, tx)
    if (maintenance !== was) throw new ApiError('conflict')
    await setMaintenance(tx, isOn, ctx.operator.name)
    await ctx.record(tx, {
      object: { type: 'maintenance', id: ctx.partnerId, label: isOn ? 'Program closed' : 'Program opened' },
      before: { maintenance },
      after: { maintenance: words(isOn) },
      reason,
    })
    return readFlags(ctx, tx)
  })
}
