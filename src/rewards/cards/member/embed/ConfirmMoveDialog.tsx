import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import type { CardRegistration } from '../../contract.ts'
import styles from './CardForm.module.css'

interface Props {
  /** Cards that earn in another program; an empty list closes the dialog. */
  cards: readonly CardRegistration[]
  onMove: () => void
  onLeave: () => void
}

/** Explains a move before the request is sent to the card's owner in another program. */
export function ConfirmMoveDialog({ cards, onMove, onLeave }: Props) {
  const t = useCopy()
  return (
    <Dialog open={cards.length > 0} onClose={onLeave} title={t('cards.elsewhere_title')} closeLabel={t('dialog.close')}>
      {cards.map(({ memberCard: { description, lastFour, partnerCardId } }) => (
        <p key={`${partnerCardId} ${lastFour}`}>{t('cards.elsewhere', { description, lastFour })}</p>
      ))}
      <p>{t('cards.elsewhere_request')}</p>
      <p>{t('cards.elsewhere_own')}</p>
      <div className={styles.choices}>
        <Button type="button" onClick={onMove}>
          {t('cards.move_here')}
        </Button>
        <Button type="button" variant="quiet" onClick={onLeave}>
          {t('cards.leave_there')}
        </Button>
      </div>
    </Dialog>
  )
}
