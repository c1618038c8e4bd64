import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import type { PartnerCard } from '../../contract.ts'
import { brandKind } from '../../rules.ts'
import { CardBrand } from '../CardBrand.tsx'
import styles from './PartnerCards.module.css'

interface Props {
  cards: readonly PartnerCard[]
  chosen: ReadonlySet<string>
  /** The maximum is reached: unchecked cards cannot be checked. */
  isFull: boolean
  onChange: (chosen: ReadonlySet<string>) => void
}

/** Checkboxes for partner-loaded cards. */
export function PartnerCards({ cards, chosen, isFull, onChange }: Props) {
  const t = useCopy()
  function toggle(cardId: string, isChosen: boolean) {
    const next = new Set(chosen)
    if (isChosen) next.add(cardId)
    else next.delete(cardId)
    onChange(next)
  }
  return (
    <fieldset className={styles.group}>
      <legend>{t('cards.partner_cards')}</legend>
      <p className={styles.hint}>{t('cards.partner_cards_hint')}</p>
      <ul className={styles.cards}>
        {cards.map(({ cardId, cardType, description, lastFour }) => (
          <li key={cardId}>
            <label className={styles.card} data-off={(isFull && !chosen.has(cardId)) || undefined}>
              <input
                type="checkbox"
                checked={chosen.has(cardId)}
                disabled={isFull && !chosen.has(cardId)}
                onChange={(event) => toggle(cardId, event.target.checked)}
              />
              <CardBrand type={brandKind(cardType)} isDecoration />
              <span>
                {description} {t('cards.ending_in', { lastFour })}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
