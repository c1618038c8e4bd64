import { apiQuery, type PageArgs, useApiQuery } from '../../../platform/browser/query.ts'
import { formatCents } from '../../../platform/money.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { Meter } from '../../../ui/Meter.tsx'
import { getStatementCreditBalance } from '../contract.ts'
import styles from './CreditPanel.module.css'

export async function loadCreditPanel({ api, cache, config }: PageArgs): Promise<void> {
  if (config.currencyType === 'Credit') await cache.ensure(apiQuery(api, getStatementCreditBalance, {}))
}

/** The balance toward the next statement credit. */
export function CreditPanel() {
  const t = useCopy()
  const { config } = useProgram()
  const balance = useApiQuery(getStatementCreditBalance, {})
  if (!balance.data) return null
  const full = fullCents(t('activity.balance_maximum'), config.statementCreditFromCents)
  const { memberBalance } = balance.data
  const cents = Math.round(memberBalance * 100)
  return (
    <section className={styles.panel}>
      <h3>{t('activity.balance')}</h3>
      <p className={styles.number}>{formatCents(cents)}</p>
      <Meter value={Math.min(full, Math.max(0, cents))} max={full} label={progressText(t, cents, full)} />
    </section>
  )
}

function progressText(t: ReturnType<typeof useCopy>, cents: number, full: number): string {
  if (cents < 0) return t('activity.balance_below', { owed: formatCents(-cents), full: formatCents(full) })
  if (cents === 0) return t('activity.balance_zero', { full: formatCents(full) })
  if (cents >= full) return t('activity.balance_full')
  return t('activity.balance_started', { left: formatCents(full - cents), full: formatCents(full) })
}

const defaultCents = 2000

/** Returns the maximum of the meter: the program's text in dollars, else the credit threshold, else 20 dollars. */
function fullCents(text: string, sentFrom: number | undefined): number {
  const dollars = Number(text)
  return text !== '' && dollars > 0 ? Math.round(dollars * 100) : (sentFrom ?? defaultCents)
}
