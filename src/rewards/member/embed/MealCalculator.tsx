import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { listCards } from '../../../cards/contract.ts'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { centsFromDecimal, formatCents } from '../../../kit/money.ts'
import { ask, type PageArgs, useApi, useQuestion } from '../../../kit/web/query.ts'
import { useSettled } from '../../../kit/web/use-settled.ts'
import { useMember } from '../../../members/member/embed/use-member.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { describeRate, formatReward } from '../../../partners/rates.ts'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { type MealQuote, quoteMeal } from '../../contract.ts'
import styles from './MealCalculator.module.css'

const usualAmount = '60'
/** What is typed is read aloud once it has rested so many milliseconds, not at every key. */
const pause = 500

/** Dollars as people write them, `$1,000` too; null when it is no amount. */
function readAmount(typed: string): string | null {
  const plain = typed.trim().replace(/^\$\s*/, '')
  const number = /^\d{1,2},\d{3}(\.|$)/.test(plain) ? plain.replace(',', '') : plain
  return /^\d{1,5}(\.\d{1,2})?$/.test(number) ? number : null
}

interface Asked {
  amount: string
  date?: string
  time?: string
  card?: string
  pin?: 'true'
}

const given = (merchantId: string, query: Asked) => ({ params: { merchantId }, query })

export async function loadQuote({ api, cache }: PageArgs, merchantId: string): Promise<void> {
  await cache.prefetchQuery(ask(api, quoteMeal, given(merchantId, { amount: usualAmount })))
}

/** What a bill of any amount would earn here, now or on another day, and why: asked of the engine itself. */
export function MealCalculator({ merchantId }: { merchantId: string }) {
  const t = useCopy()
  const [amount, setAmount] = useState(usualAmount)
  const [date, setDate] = useState('')
  const [time, setTime] = useState('19:00')
  const [payment, setPayment] = useState<Payment>({})
  const dollars = readAmount(useSettled(amount, pause))
  const asked: Asked = { amount: dollars ?? usualAmount, ...(date && { date, time }), ...payment }
  const answer = useQuery({
    ...ask(useApi(), quoteMeal, given(merchantId, asked)),
    enabled: dollars !== null,
    placeholderData: (before) => before,
  })
  // An answer stands beside its own amount until the next one is here.
  const fresh = answer.isPlaceholderData ? undefined : answer.data
  const [shown, setShown] = useState(fresh && { quote: fresh, amount: asked.amount })
  if (fresh && shown?.quote !== fresh) setShown({ quote: fresh, amount: asked.amount })
  return (
    <div className={styles.calculator}>
      <h3>{t('rewards.quote.title')}</h3>
      <div className={styles.fields}>
        <TextField
          label={t('rewards.quote.amount')}
          inputMode="decimal"
          value={amount}
          maxLength={12}
          onChange={(event) => setAmount(event.target.value)}
          error={dollars !== null ? undefined : t('rewards.quote.amount_wrong')}
        />
        <details className={styles.other}>
          <summary>{t('rewards.quote.other_time')}</summary>
          <div className={styles.fields}>
            <TextField
              label={t('rewards.quote.date')}
              type="date"
              value={date}
              onChange={(event) => setDate(event.target.value)}
            />
            <TextField
              label={t('rewards.quote.time')}
              type="time"
              value={time}
              onChange={(event) => setTime(event.target.value || '19:00')}
            />
          </div>
        </details>
      </div>
      <PayWith payment={payment} onChange={setPayment} />
      {answer.isError && <p role="status">{t('rewards.quote.failed')}</p>}
      {dollars !== null && shown && !answer.isError && <Quote {...shown} />}
      <Excluded />
    </div>
  )
}

type Payment = Pick<Asked, 'card' | 'pin'>

/** With which of the member's cards, and how: where that makes a difference. */
function PayWith({ payment, onChange }: { payment: Payment; onChange: (payment: Payment) => void }) {
  const t = useCopy()
  const { config } = useProgram()
  const isMember = useMember() !== null
  const cards = useQuestion(listCards, {}, { enabled: isMember }).data ?? []
  if (cards.length < 2 && !config.excludesPinDebit) return null
  return (
    <details className={styles.other}>
      <summary>{t('rewards.quote.payment')}</summary>
      <div className={styles.payment}>
        {cards.length > 1 && (
          <SelectField
            label={t('rewards.quote.card')}
            value={payment.card ?? cards[0]?.id}
            onChange={(event) => onChange({ ...payment, card: event.target.value })}
          >
            {cards.map(({ id, description, lastFour }) => (
              <option key={id} value={id}>
                {t('rewards.quote.card_ending', { description, lastFour })}
              </option>
            ))}
          </SelectField>
        )}
        {config.excludesPinDebit && (
          <CheckboxField
            label={t('rewards.quote.pin')}
            checked={payment.pin === 'true'}
            onChange={(event) => {
              const { pin: _, ...rest } = payment
              onChange(event.target.checked ? { ...rest, pin: 'true' } : rest)
            }}
          />
        )}
      </div>
    </details>
  )
}

function Quote({ quote, amount }: { quote: MealQuote; amount: string }) {
  const t = useCopy()
  const { config } = useProgram()
  const { benefit, reason, bonus, basis, cardMissing } = quote
  const bill = formatCents(centsFromDecimal(amount))
  const kind = benefit === 0 ? 'earns_nothing' : basis === 'best' ? 'earns_best' : 'earns'
  return (
    <>
      <p className={styles.result} role="status">
        <strong>{t(`rewards.quote.${kind}`, { amount: bill, benefit: formatReward(config, benefit) })}</strong>
        {bonus > 0 && <span> {t('rewards.quote.bonus', { bonus: formatReward(config, bonus) })}</span>}
      </p>
      {benefit === 0 ? <p>{t(reason.key, reason.params)}</p> : <Arithmetic quote={quote} bill={bill} />}
      {cardMissing && (
        <p>
          {t('rewards.quote.card_missing')} <Link to="/account/manage_cards">{t('rewards.quote.link_card')}</Link>
        </p>
      )}
    </>
  )
}

function Arithmetic({ quote, bill }: { quote: MealQuote; bill: string }) {
  const t = useCopy()
  const { config } = useProgram()
  const { countedCents, visits, tier, ratePercent, flexRate } = quote
  const counted = formatCents(countedCents)
  const steps = [
    describeRate(config, tier, ratePercent, flexRate),
    counted !== bill && t('rewards.quote.counted', { counted }),
    visits && t('rewards.quote.visits_left', { left: Math.max(0, visits.limit - visits.used), limit: visits.limit }),
    !visits && counted === bill && t('rewards.quote.no_limit'),
  ]
  return (
    <ul className={styles.steps}>
      {steps.filter(Boolean).map((step) => (
        <li key={String(step)}>{step}</li>
      ))}
    </ul>
  )
}

function Excluded() {
  const t = useCopy()
  const fuel = useProgram().config.statusCopy === 'fuel'
  return (
    <details className={styles.other}>
      <summary>{t('rewards.quote.excluded_title')}</summary>
      <p>{t(fuel ? 'rewards.quote.excluded_fuel' : 'rewards.quote.excluded')}</p>
    </details>
  )
}
