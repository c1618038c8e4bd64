import { useState } from 'react'
import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import { ApiCallError } from '../../../../platform/browser/api.ts'
import { apiQuery, type PageArgs, useApi, useApiQuery } from '../../../../platform/browser/query.ts'
import { Link } from '../../../../platform/browser/router/Link.tsx'
import { useDebouncedValue } from '../../../../platform/browser/use-debounced-value.ts'
import { useHydrated } from '../../../../platform/browser/use-hydrated.ts'
import { useQuery } from '../../../../platform/browser/use-query.ts'
import { decimalFromCents, formatCents, parseDollars } from '../../../../platform/money.ts'
import { localMoment } from '../../../../platform/time.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import type { PublicConfig, TierLevel } from '../../../../programs/partners/contract.ts'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { describeRate, formatReward } from '../../../../programs/partners/rates.ts'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { listCards } from '../../../cards/contract.ts'
import { type EarnQuote, getEarnQuote } from '../../contract.ts'
import styles from './EarnCalculator.module.css'

const defaultCents = 60_00
/** Milliseconds without typing until the result is announced, instead of after every key. */
const announceDelayMs = 500

/** Returns the bill in cents; null for an invalid amount or zero. */
const billOf = (typed: string) => parseDollars(typed) || null

interface QuoteRequest {
  amount: string
  date?: string
  time?: string
  card?: string
  pin?: 'true'
}

const quoteInput = (merchantId: string, query: QuoteRequest) => ({ params: { merchantId }, query })

export async function loadQuote({ api, cache }: PageArgs, merchantId: string): Promise<void> {
  await cache.prefetch(apiQuery(api, getEarnQuote, quoteInput(merchantId, { amount: decimalFromCents(defaultCents) })))
}

/** What a bill of any amount would earn here, now or on another day, and why; computed by the award engine. */
export function EarnCalculator({ merchantId, timeZone }: { merchantId: string; timeZone: string }) {
  const t = useCopy()
  const { config } = useProgram()
  const isMember = useMember() !== null
  const [amount, setAmount] = useState(String(defaultCents / 100))
  const [date, setDate] = useState('')
  const [time, setTime] = useState('19:00')
  // Without a date it is today.
  const [isTimed, setIsTimed] = useState(false)
  const [payment, setPayment] = useState<Payment>({})
  // The restaurant's local day is unknown where pages are rendered for all visitors.
  const today = useHydrated() ? localMoment(new Date(), timeZone).date : undefined
  const isPast = today !== undefined && date !== '' && date < today
  const cents = billOf(useDebouncedValue(amount, announceDelayMs))
  const request: QuoteRequest = {
    amount: decimalFromCents(cents ?? defaultCents),
    ...(date && { date }),
    ...((date || isTimed) && { time }),
    ...(isMember ? payment : payment.pin && { pin: payment.pin }),
  }
  const quoteQuery = useQuery(apiQuery(useApi(), getEarnQuote, quoteInput(merchantId, request)), {
    enabled: cents !== null && !isPast,
    keepsPrevious: true,
  })
  // A result is shown with its own amount until the next one arrives.
  const fresh = quoteQuery.isPlaceholderData ? undefined : quoteQuery.data
  const [shown, setShown] = useState(fresh && { quote: fresh, amount: request.amount })
  if (fresh && shown?.quote !== fresh) setShown({ quote: fresh, amount: request.amount })
  const dateError = isPast ? t('rewards.quote.date_past') : fieldError(quoteQuery.error, 'date')
  // Only a valid amount has a result beside it.
  const hasResult = cents !== null && billOf(amount) !== null && !isPast && !quoteQuery.isError
  return (
    <div className={styles.calculator}>
      <h3>{t('rewards.quote.title')}</h3>
      <div className={styles.fields}>
        <TextField
          label={t(`rewards.quote.amount${partsOf(config)}`)}
          inputMode="decimal"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          error={cents !== null ? undefined : t('rewards.quote.amount_wrong')}
        />
        <details className={styles.other}>
          <summary>{t('rewards.quote.other_time')}</summary>
          <div className={styles.fields}>
            <TextField
              label={t('rewards.quote.date')}
              type="date"
              value={date}
              min={today}
              error={dateError}
              onChange={(event) => setDate(event.target.value)}
            />
            <TextField
              label={t('rewards.quote.time')}
              type="time"
              value={time}
              onChange={(event) => {
                setTime(event.target.value || '19:00')
                setIsTimed(event.target.value !== '')
              }}
            />
          </div>
        </details>
      </div>
      <PayWith payment={payment} onChange={setPayment} />
      {/* On the page before its text changes, so that every result is announced. */}
      <div role="status">
        {quoteQuery.isError && !dateError && <p>{t('rewards.quote.failed')}</p>}
        {hasResult && shown && <Result {...shown} />}
      </div>
      {hasResult && shown && <Reasons {...shown} />}
      <Excluded />
    </div>
  )
}

function fieldError(error: unknown, name: string): string | undefined {
  return error instanceof ApiCallError ? error.fields.find(({ field }) => field === name)?.message : undefined
}

type Payment = Pick<QuoteRequest, 'card' | 'pin'>

/** Selects the member's card and the kind of payment, where that makes a difference. */
function PayWith({ payment, onChange }: { payment: Payment; onChange: (payment: Payment) => void }) {
  const t = useCopy()
  const { config } = useProgram()
  const isMember = useMember() !== null
  const { data } = useApiQuery(listCards, {}, { enabled: isMember })
  // What was loaded for a member is not shown to the visitor after the session.
  const cards = isMember && data ? data : []
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

interface QuoteProps {
  quote: EarnQuote
  amount: string
}

const formatBill = (amount: string) => formatCents(parseDollars(amount) as number)

function Result({ quote, amount }: QuoteProps) {
  const t = useCopy()
  const { config } = useProgram()
  const { benefit, bonus, basis } = quote
  const kind = benefit === 0 ? 'earns_nothing' : basis === 'newMember' ? 'earns_newMember' : 'earns'
  return (
    <p className={styles.result}>
      <strong>
        {t(`rewards.quote.${kind}`, { amount: formatBill(amount), benefit: formatReward(config, benefit) })}
      </strong>
      {bonus > 0 && <span> {t('rewards.quote.bonus', { bonus: formatReward(config, bonus) })}</span>}
    </p>
  )
}

/** Why a bill earns what it earns. */
function Reasons({ quote, amount }: QuoteProps) {
  const t = useCopy()
  const { benefit, reason, cardMissing } = quote
  return (
    <>
      {benefit === 0 ? <p>{t(reason.key, reason.params)}</p> : <Arithmetic quote={quote} bill={formatBill(amount)} />}
      {cardMissing && (
        <p>
          {t('rewards.quote.card_missing')} <Link to="/account/manage_cards">{t('rewards.quote.link_card')}</Link>
        </p>
      )}
    </>
  )
}

function Arithmetic({ quote, bill }: { quote: EarnQuote; bill: string }) {
  const t = useCopy()
  const { config } = useProgram()
  const { basis, countedCents, visits, tier, ratePercent, flexRate, reason } = quote
  const counted = formatCents(countedCents)
  const rateOf = (of: TierLevel) => describeRate(config, of, ratePercent, flexRate)
  const isNew = basis === 'newMember'
  const steps = [
    isNew && rateOf('OptedOut') !== rateOf(tier)
      ? t('rewards.quote.rate_emails', { rate: rateOf(tier) })
      : rateOf(tier),
    isNew && config.hasVIP && t('rewards.quote.rate_vip', { rate: rateOf('VIP') }),
    counted !== bill && t('rewards.quote.counted', { counted }),
    visits && t('rewards.quote.visits_left', { left: Math.max(0, visits.limit - visits.used), limit: visits.limit }),
    reason.code === 'earnedUpToMaximum' && t('rewards.quote.maximum'),
    !visits && counted === bill && config.maxRewardPerMeal === undefined && t('rewards.quote.no_limit'),
  ]
  return (
    <ul className={styles.steps}>
      {steps.filter(Boolean).map((step) => (
        <li key={String(step)}>{step}</li>
      ))}
    </ul>
  )
}

/** Returns the variant of texts about the parts of a bill: empty where tax and tip count. */
function partsOf({ countsTip, countsTax }: Pick<PublicConfig, 'countsTip' | 'countsTax'>): string {
  if (countsTip) return countsTax ? '' : '_withoutTax'
  return countsTax ? '_withoutTip' : '_withoutBoth'
}

function Excluded() {
  const t = useCopy()
  const { config } = useProgram()
  const fuel = config.statusCopy === 'fuel'
  return (
    <details className={styles.other}>
      <summary>{t('rewards.quote.excluded_title')}</summary>
      <p>
        {`${t(fuel ? 'rewards.quote.excluded_fuel' : 'rewards.quote.excluded')} `}
        {t(`rewards.quote.parts${partsOf(config)}`)}
      </p>
    </details>
  )
}
