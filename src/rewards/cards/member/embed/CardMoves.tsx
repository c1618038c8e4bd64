import { useRefreshMember } from '../../../../identity/members/member/embed/use-member.ts'
import { apiQueryKey, useApiQuery } from '../../../../platform/browser/query.ts'
import { useLocalTime } from '../../../../platform/browser/use-local-time.ts'
import { useQueryCache } from '../../../../platform/browser/use-query.ts'
import { useApiMutation } from '../../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { FormBanner } from '../../../../ui/FormBanner.tsx'
import { useToasts } from '../../../../ui/Toasts.tsx'
import { type CardMove, listCardMoves, listCards, undoCardMove } from '../../contract.ts'

/** Cards moved to or from another program, with an undo for one day. */
export function CardMoves() {
  const moves = useApiQuery(listCardMoves, {}, { staleTime: 0 })
  return (moves.data ?? []).map((move) => <Move key={move.id} move={move} />)
}

function Move({ move }: { move: CardMove }) {
  const t = useCopy()
  const cache = useQueryCache()
  const toasts = useToasts()
  const refreshMember = useRefreshMember()
  const { direction, description, lastFour, program } = move
  const until = useLocalTime('moment')(move.undoUntil)

  const { run, isPending } = useApiMutation(undoCardMove, {
    onSuccess: () => toasts.show({ kind: 'success', message: t('cards.moved_back', { lastFour }) }),
    onFailure: (message) => toasts.show({ kind: 'error', message }),
    onSettled() {
      for (const call of [listCards, listCardMoves]) void cache.invalidate(apiQueryKey(call))
      void refreshMember()
    },
  })
  const undo = () => void run({ body: { id: move.id } })

  return (
    <FormBanner
      type={direction === 'here' ? 'success' : 'warning'}
      title={t(`cards.moved_${direction}`, { description, lastFour, program, until })}
    >
      <Button type="button" variant="secondary" busy={isPending ? t('page.loading') : false} onClick={undo}>
        {t(direction === 'here' ? 'cards.move_back_there' : 'cards.move_back_here', { program })}
      </Button>
    </FormBanner>
  )
}
