import { queueEmail } from '../../identity/email/service.ts'
import { findMemberRow, requireSession } from '../../identity/members/service.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import type { CardMove } from './contract.ts'
import { movedBackEmail, movedEmail } from './emails.ts'
import * as store from './move-store.ts'

export interface MoveDeps {
  programs: ReadonlyMap<string, { config: { programName: string; maximumCards: number } }>
  origin: (partnerId: string) => string
}

export const programName = ({ programs }: Pick<MoveDeps, 'programs'>, partnerId: string) =>
  programs.get(partnerId)?.config.programName ?? partnerId

/** Returns the signed-in member's moved cards whose move can still be undone. */
export async function listMoves(ctx: MemberCtx, deps: Pick<MoveDeps, 'programs'>): Promise<CardMove[]> {
  const moves = await store.listUndoableMoves(ctx.db, ctx.actor.memberId)
  return moves.map((move) => ({
    id: move.id,
    direction: move.isHere ? 'here' : 'away',
    program: programName(deps, move.isHere ? move.fromPartner : move.toPartner),
    description: move.description,
    lastFour: move.lastFour,
    undoUntil: move.undoUntil.toISOString(),
  }))
}

/**
 * Moves a card back to its previous program, for its current or previous member. It stays there for 30 days. Throws
 * error codes `moveOver` (a day has passed), `moveBlocked` (the card is elsewhere now, or its member has left) and
 * `moveFull` (the maximum number of cards is linked there).
 */
export async function undoMove(ctx: MemberCtx, deps: MoveDeps, id: string): Promise<{ undone: true }> {
  const memberId = ctx.actor.memberId
  return inTransaction(ctx.db, async (tx) => {
    const move = (await store.listUndoableMoves(tx, memberId)).find((open) => open.id === id)
    if (!move) throw new ApiError('moveOver')
    const maxCards = deps.programs.get(move.fromPartner)?.config.maximumCards ?? 0
    const outcome = await store.undoMove(tx, id, maxCards)
    if (outcome === 'expired') throw new ApiError('moveOver')
    if (outcome !== 'undone') throw new ApiError(outcome === 'full' ? 'moveFull' : 'moveBlocked')
    // Not before: the undo takes its locks in the order of all moves.
    await requireSession(ctx, tx)
    await audit(tx, ctx, { action: 'card.moveUndone', memberId, detail: { move: id } })
    return { undone: true }
  })
}

/**
 * Notifies this program's members of cards that left or came back. Returns the vault tokens of those that came back:
 * transactions may be waiting for them. Any number of processes may do so at once.
 */
export async function notifyMoves(ctx: Ctx, deps: MoveDeps): Promise<string[]> {
  const back: string[] = []
  for (;;) {
    const notified = await inTransaction(ctx.db, async (tx) => {
      const move = await store.takeUnnotified(tx)
      if (move) await notifyOne(tx, ctx, deps, move)
      return move
    })
    if (!notified) return back
    if (notified.undone) back.push(notified.token)
  }
}

async function notifyOne(tx: Tx, ctx: Ctx, deps: MoveDeps, move: store.UnnotifiedMove): Promise<void> {
  const member = await findMemberRow(tx, move.memberId)
  await store.markNotified(tx, move.id, move.undone)
  if (!member || member.deleted_at) return
  const action = move.undone ? 'card.movedBack' : 'card.movedAway'
  await audit(tx, ctx, { action, memberId: move.memberId, detail: { move: move.id, to: move.toPartner } })
  const parts = {
    ctx,
    firstName: member.first_name,
    lastFour: move.lastFour,
    otherProgram: programName(deps, move.toPartner),
    last: move.last,
    origin: deps.origin(ctx.partnerId),
  }
  await queueEmail(tx, ctx, {
    memberId: move.memberId,
    recipient: member.email,
    topic: move.undone ? 'card.movedBack' : 'card.movedAway',
    about: move.id,
    content: move.undone ? movedBackEmail(parts) : movedEmail(parts),
  })
}
