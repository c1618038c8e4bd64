import { accountKey, deviceKey, proofKey } from '../../identity/session/service.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { OperatorCtx } from '../../platform/http/operator.ts'
import { listKnownDevices } from './detail-store.ts'

/** Returns the keys under which wrong passwords of a member are counted: in any browser, in each known one, signed in. */
export async function lockKeysOf(ctx: OperatorCtx, lockKey: Buffer, memberId: number, db: Db | Tx): Promise<Buffer[]> {
  const devices = await listKnownDevices(db, memberId)
  return [
    accountKey(ctx, lockKey, memberId),
    proofKey(ctx, lockKey, memberId),
    ...devices.map((device) => deviceKey(ctx, lockKey, { memberId, device })),
  ]
}
