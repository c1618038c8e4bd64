import { useEffect, useState } from 'react'
import { ApiCallError } from '../../../platform/browser/api.ts'
import { apiQueryKey, useApiQuery } from '../../../platform/browser/query.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { useQueryCache } from '../../../platform/browser/use-query.ts'
import { callUrl } from '../../../platform/call.ts'
import { useApiMutation, useApiMutationOnMount } from '../../../programs/content/member/embed/use-api-mutation.ts'
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
  selection: PendingChoice
  onClose: () => void
}

/** Holds the table while the member reads the conditions, then books it and shows the result. */
export function ConfirmTable({ merchant, selection, onClose }: Props) {
  const t = useCopy()
  const [made, setMade] = useState<Reservation | null>(null)
  const title = t(made ? 'reservations.booked_title' : 'reservations.confirm_title')
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={t('reservations.close')}>
      {/* On the page before its text: a live region that is added with its text is not announced. */}
      <div role="status">{made && <Booked reservation={made} />}</div>
      {made ? (
        <Made reservation={made} />
      ) : (
        <Confirm merchant={merchant} selection={selection} onMade={setMade} onClose={onClose} />
      )}
    </Dialog>
  )
}

/** Problems that the member can solve in the list of reservations. */
const solvedByCanceling = new Set(['overlap', 'tooManyAtOnce', 'tooManyReservations'])

function Confirm({ merchant, selection, onMade, onClose }: Props & { onMade: (made: Reservation) => void }) {
  const t = useCopy()
  const cache = useQueryCache()
  const people = usePeople()
  const { config } = useProgram()
  // A member whose session has ended signs in from here, and returns to the selection.
  const options = {
    failureText: useFailureText(),
    staysOn401: true,
    onFailure(_message: string, error: unknown) {
      if (error instanceof ApiCallError) void cache.invalidate(apiQueryKey(getAvailability))
    },
  }
  const holding = useApiMutationOnMount(holdTable, { body: selection }, options)
  const booking = useApiMutation(makeReservation, {
    ...options,
    onSuccess(made) {
      void cache.invalidate(apiQueryKey(listReservations))
      void cache.invalidate(apiQueryKey(getAvailability))
      onMade(made)
    },
  })
  const hold = holding.data
  const failure = holding.problem ?? booking.problem
  const isClash = holding.error instanceof ApiCallError && solvedByCanceling.has(holding.error.code)
  const confirm = (token: string) => void booking.run({ body: { ...selection, holdToken: token } })

  const bonus = config.hasReservationBonus ? config.reservationBonus : undefined
  return (
    <>
      <p className={styles.restaurant}>{merchant.name}</p>
      <p>
        {t('reservations.summary', {
          people: people(selection.partySize),
          day: dayText(selection.date),
          time: clockText(selection.time),
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
            <Button
              type="button"
              onClick={() => confirm(hold.token)}
              busy={booking.isPending && t('reservations.confirming')}
            >
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
  const cards = useApiQuery(listCards, {}, { staleTime: 0 }).data
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
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <>
      <div role="status">{seconds === 0 && <p>{t('reservations.held_over')}</p>}</div>
      {seconds > 0 && (
        <p role="timer" className={styles.left}>
          {t('reservations.held', { left })}
        </p>
      )}
    </>
  )
}

function Booked({ reservation }: { reservation: Reservation }) {
  const t = useCopy()
  const { merchantName, date, time, confirmation } = reservation
  return (
    <p>
      {t('reservations.booked', {
        restaurant: merchantName,
        day: dayText(date),
        time: clockText(time),
        confirmation,
      })}
    </p>
  )
}

function Made({ reservation }: { reservation: Reservation }) {
  const t = useCopy()
  return (
    <>
      <CardMissing bonus={reservation.bonus !== null} link />
      <p className={styles.actions}>
        <a href={callUrl(getReservationCalendar, { params: { reservationId: reservation.id } })} download>
          {t('reservations.calendar')}
        </a>
        <Link to="/account/reservations">{t('reservations.all')}</Link>
      </p>
    </>
  )
}
