import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useRefreshMember } from '../../../../identity/members/member/embed/use-member.ts'
import { apiQueryKey, useApi, useApiQuery } from '../../../../platform/browser/query.ts'
import { redirectOn401 } from '../../../../platform/browser/redirects.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useFailureText } from '../../../../programs/content/member/embed/use-failure-text.ts'
import { Button } from '../../../../ui/Button.tsx'
import { FormBanner } from '../../../../ui/FormBanner.tsx'
import { useToasts } from '../../../../ui/Toasts.tsx'
import { type CardMove, listCardMoves, listCards, undoCardMove } from '../../contract.ts'

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** Cards moved to or from another program, with an undo for one day. */
export function CardMoves() {
  const moves = useApiQuery(listCardMoves, {}, { staleTime: 0 })
  return (moves.data ?? []).map((move) => <Move key={move.id} move={move} />)
}

function Move({ move }: { move: CardMove }) {
  const t = useCopy()
  const api = useApi()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failureText = useFailureText()
  const refreshMember = useRefreshMember()
  const [busy, setBusy] = useState(false)
  const { direction, description, lastFour, program } = move
  const until = moment.format(new Date(move.undoUntil))

  async function undo() {
    setBusy(true)
    try {
      await api.call(undoCardMove, { body: { id: move.id } })
      toasts.show({ kind: 'success', message: t('cards.moved_back', { lastFour }) })
    } catch (error) {
      if (redirectOn401(error)) return
      toasts.show({ kind: 'error', message: failureText(error) })
    } finally {
      setBusy(false)
      for (const call of [listCards, listCardMoves]) void cache.invalidateQueries({ queryKey: apiQueryKey(call) })
      void refreshMember()
    }
  }

  return (
    <FormBanner
      type={direction === 'here' ? 'success' : 'warning'}
      title={t(`cards.moved_${direction}`, { description, lastFour, program, until })}
    >
      <Button type="button" variant="secondary" busy={busy ? t('page.loading') : false} onClick={undo}>
        {t(direction === 'here' ? 'cards.move_back_there' : 'cards.move_back_here', { program })}
      </Button>
    </FormBanner>
  )
}
