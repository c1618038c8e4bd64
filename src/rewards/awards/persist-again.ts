import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { AwardInput } from '../earning/terms.ts'
import { decideAwards, redecideTransaction, type TransactionDecision } from './decide.ts'
import { persistAwards } from './persist.ts'
import { reasonOf, type TransactionRow } from './store.ts'

/**
 * Decides stored transactions again whose `flag` is to be set or removed, and writes those that change. `written` are the
 * transactions that this database transaction has written before. Returns them as they are now, with their rows of
 * before it, and the others that changed.
 */
export async function persistAgain(
  tx: Tx,
  ctx: Ctx,
  written: readonly TransactionDecision[],
  { rows, flag, isSet }: { rows: readonly TransactionRow[]; flag: Flag; isSet: (row: TransactionRow) => boolean },
): Promise<readonly TransactionDecision[]> {
  const changed = rows.flatMap((row) => {
    if (isSet(row) === (reasonOf(row).inputs[flag] ?? false)) return []
    return redecideTransaction(row, { [flag]: isSet(row) || undefined }) ?? []
  })
  if (changed.length === 0) return written
  const before = new Map(written.map(({ fields, existing }) => [fields.network_id, existing]))
  const again = (await persistAwards(tx, ctx, await decideAwards(tx, changed))).map((decision) => {
    const id = decision.fields.network_id
    return before.has(id) ? { ...decision, existing: before.get(id) } : decision
  })
  const ids = new Set(again.map(({ fields }) => fields.network_id))
  return [...written.filter(({ fields }) => !ids.has(fields.network_id)), ...again]
}

type Flag = keyof Pick<AwardInput, 'countedElsewhere'>
