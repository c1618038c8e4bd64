import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { ApiError } from '../../../platform/browser/api.ts'
import { keyOf, useApi, useQuestion } from '../../../platform/browser/query.ts'
import { addressOf } from '../../../platform/call.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { listCards } from '../../../rewards/cards/contract.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormBanner } from '../../../ui/FormBanner.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import type { MerchantDetail } from '../../merchants/contract.ts'
import {
  getAvailability,
  getReservationCalendar,
  holdTable,
  listReservations,
  makeReservation,
  type Reservation,
} from '../contract.ts'
import type { PendingChoice } from '../pending-choice.ts'
import { clockText, dayText } from '../rules.ts'
import styles from './ConfirmTable.module.css'
import { useFailureText } from './use-failure-text.ts'
import { usePeople } from './use-people.ts'

interface Props {
  merchant: Pick<MerchantDetail, 'id' | 'name'>
  wish: PendingChoice
  onClose: () => void
}

/** Holds the table while the member reads the conditions, then books it and shows the result. */
export function ConfirmTable({ merchant, wish, onClose }: Props) {
  const t = useCopy()
  const [made, setMade] = useState<Reservation | null>(null)
  const title = t(made ? 'reservations.booked_title' : 'reservations.confirm_title')
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={t('reservations.close')}>
      {made ? (
        <Made reservation={made} />
      ) : (
        <Confirm merchant={merchant} wish={wish} onMade={setMade} onClose={onClose} />
      )}
    </Dialog>
  )
}

type Hold = { token: string; expiresAt: string }

function Confirm({ merchant, wish, onMade, onClose }: Props & { onMade: (made: Reservation) => void }) {
  const t = useCopy()
  const api = useApi()
  const cache = useQueryClient()
  const people = usePeople()
  const failureText = useFailureText()
  const { config } = useProgram()
  const [hold, setHold] = useState<Hold | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isClash, setIsClash] = useState(false)
  const [busy, setBusy] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: one hold for each time the dialog opens
  useEffect(() => {
    let left = false
    api.call(holdTable, { body: wish }).then(
      (held) => left || setHold(held),
      (error) => left || failed(error),
    )
    return () => {
      left = true
    }
  }, [])

  function failed(error: unknown): void {
    setFailure(failureText(error))
    setIsClash(error instanceof ApiError && error.code === 'overlap')
    if (error instanceof ApiError) void cache.invalidateQueries({ queryKey: keyOf(getAvailability) })
  }

  async function confirm(): Promise<void> {
    if (!hold) return
    setBusy(true)
    setFailure(null)
    try {
      const made = await api.call(makeReservation, { body: { ...wish, holdToken: hold.token } })
      void cache.invalidateQueries({ queryKey: keyOf(listReservations) })
      void cache.invalidateQueries({ queryKey: keyOf(getAvailability) })
      onMade(made)
    } catch (error) {
      failed(error)
    } finally {
      setBusy(false)
    }
  }

  const bonus = config.hasReservationBonus ? config.reservationBonus : undefined
  return (
    <>
      <p className={styles.place}>{merchant.name}</p>
      <p>
        {t('reservations.summary', {
          people: people(wish.partySize),
          day: dayText(wish.date),
          time: clockText(wish.time),
        })}
      </p>
      {bonus && <p className={styles.condition}>{bonus.condition}</p>}
      <CardMissing bonus={bonus !== undefined} />
      {failure && <FormBanner type="error" title={failure} />}
      {!hold && !failure && <Skeleton height={200} />}
      {!hold && failure && (
        <p className={styles.actions}>
          <Button type="button" onClick={onClose}>
            {t('reservations.other_time')}
          </Button>
          {isClash && <Link to="/account/reservations">{t('reservations.all')}</Link>}
        </p>
      )}
      {hold && (
        <>
          <TimeLeft until={Date.parse(hold.expiresAt)} />
          <p className={styles.actions}>
            <Button type="button" onClick={confirm} busy={busy && t('reservations.confirming')}>
              {t('reservations.confirm')}
            </Button>
          </p>
        </>
      )}
    </>
  )
}

/** Prompts for a card when none is linked: without one the reservation earns nothing. */
function CardMissing({ bonus, link = false }: { bonus: boolean; link?: boolean }) {
  const t = useCopy()
  const cards = useQuestion(listCards, {}, { staleTime: 0 }).data
  if (cards?.length !== 0) return null
  return (
    <p className={styles.condition}>
      {t(bonus ? 'reservations.card_missing_bonus' : 'reservations.card_missing')}{' '}
      {link && <Link to="/account/manage_cards">{t('reservations.link_card')}</Link>}
    </p>
  )
}

/** Remaining time of the hold. Not announced: a spoken countdown does not help to decide. */
function TimeLeft({ until }: { until: number }) {
  const t = useCopy()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  if (seconds === 0) return <p role="status">{t('reservations.held_over')}</p>
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <p role="timer" className={styles.left}>
      {t('reservations.held', { left })}
    </p>
  )
}

function Made({ reservation }: { reservation: Reservation }) {
  const t = useCopy()
  const { merchantName, date, time, confirmation, id } = reservation
  return (
    <>
      <p role="status">
        {t('reservations.booked', {
          restaurant: merchantName,
          day: dayText(date),
          time: clockText(time),
          confirmation,
        })}
      </p>
      <CardMissing bonus={reservation.bonus !== null} link />
      <p className={styles.actions}>
        <a href={addressOf(getReservationCalendar, { params: { reservationId: id } })} download>
          {t('reservations.calendar')}
        </a>
        <Link to="/account/reservations">{t('reservations.all')}</Link>
      </p>
    </>
  )
}
