import type { MemberCard } from '../contract.ts'
import styles from './CardBrand.module.css'

const names = { visa: 'Visa', amex: 'Amex', mastercard: 'Mastercard', discover: 'Discover' } as const

/** A small card image in the brand's style; its name is the accessible label where no text names it. */
export function CardBrand({ type, isDecoration }: { type: MemberCard['cardType']; isDecoration?: boolean }) {
  return (
    <svg className={styles.brand} viewBox="0 0 48 30" role="img" aria-label={names[type]} aria-hidden={isDecoration}>
      <rect x="0.5" y="0.5" width="47" height="29" rx="4" className={styles.ground} />
      {marks[type]}
    </svg>
  )
}

const marks: Record<MemberCard['cardType'], React.ReactNode> = {
  visa: (
    <text x="24" y="20" textLength="32" lengthAdjust="spacingAndGlyphs" className={styles.visa}>
      {names.visa.toUpperCase()}
    </text>
  ),
  mastercard: (
    <>
      <circle cx="20" cy="15" r="8" className={styles.red} />
      <circle cx="28" cy="15" r="8" className={styles.yellow} />
    </>
  ),
  amex: (
    <>
      <rect x="6" y="6" width="36" height="18" rx="2" className={styles.blue} />
      <text x="24" y="19" textLength="30" lengthAdjust="spacingAndGlyphs" className={styles.white}>
        {names.amex.toUpperCase()}
      </text>
    </>
  ),
  discover: (
    <>
      <path d="M0 30c22-1 36-6 48-15v11a4 4 0 01-4 4z" className={styles.orange} />
      <circle cx="24" cy="13" r="6" className={styles.orange} />
    </>
  ),
}
