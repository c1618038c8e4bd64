import { postMail } from '../../identity/email/service.ts'
import { memberRow } from '../../identity/members/service.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { CardMove } from './contract.ts'
import { movedBackLetter, movedLetter } from './letters.ts'
import * as store from './move-store.ts'

export interface MoveDesk {
  programs: ReadonlyMap<string, { config: { programName: string; maximumCards: number } }>
  origin: (partnerId: string) => string
}

export const nameOf = ({ programs }: Pick<MoveDesk, 'programs'>, partnerId: string) =>
  programs.get(partnerId)?.config.programName ?? partnerId

/** Returns the signed-in member's moved cards whose move can still be undone. */
export async function listMoves(ctx: Ctx, desk: Pick<MoveDesk, 'programs'>): Promise<CardMove[]> {
  const moves = await store.openMoves(ctx.db, ctx.actor.memberId as number)
  return moves.map((move) => ({
    id: move.id,
    direction: move.isHere ? 'here' : 'away',
    program: nameOf(desk, move.isHere ? move.fromPartner : move.toPartner),
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
export async function undoMove(ctx: Ctx, desk: MoveDesk, id: string): Promise<{ undone: true }> {
  const memberId = ctx.actor.memberId as number
  return inTransaction(ctx.db, async (tx) => {
    const move = (await store.openMoves(tx, memberId)).find((open) => open.id === id)
    if (!move) throw new Refusal('moveOver')
    const most = desk.programs.get(move.fromPartner)?.config.maximumCards ?? 0
    const outcome = await store.undoMove(tx, id, most)
    if (outcome === 'expired') throw new Refusal('moveOver')
    if (outcome !== 'undone') throw new Refusal(outcome === 'full' ? 'moveFull' : 'moveBlocked')
    await audit(tx, ctx, { action: 'card.moveUndone', memberId, detail: { move: id } })
    return { undone: true }
  })
}

/**
 * Notifies this program's members of cards that left or came back. Returns the vault tokens of those that came back:
 * transactions may be waiting for them. Any number of processes may do so at once.
 */
export async function tellMoves(ctx: Ctx, desk: MoveDesk): Promise<string[]> {
  const back: string[] = []
  for (;;) {
    const told = await inTransaction(ctx.db, async (tx) => {
      const move = await store.takeUntold(tx)
      if (move) await tellOne(tx, ctx, desk, move)
      return move
    })
    if (!told) return back
    if (told.undone) back.push(told.token)
  }
}

async function tellOne(tx: Tx, ctx: Ctx, desk: MoveDesk, move: store.UntoldMove): Promise<void> {
  const member = await memberRow(tx, move.memberId)
  await store.markTold(tx, move.id, move.undone)
  if (!member || member.deleted_at) return
  const action = move.undone ? 'card.movedBack' : 'card.movedAway'
  await audit(tx, ctx, { action, memberId: move.memberId, detail: { move: move.id, to: move.toPartner } })
  const parts = {
    ctx,
    firstName: member.first_name,
    lastFour: move.lastFour,
    otherProgram: nameOf(desk, move.toPartner),
    last: move.last,
    origin: desk.origin(ctx.partnerId),
  }
  await postMail(tx, ctx, {
    memberId: move.memberId,
    recipient: member.email,
    topic: move.undone ? 'card.movedBack' : 'card.movedAway',
    about: move.id,
    letter: move.undone ? movedBackLetter(parts) : movedLetter(parts),
  })
}
