import { useState } from 'react'
import { apiQuery, type PageArgs, useApiSuspenseQuery } from '../../../platform/browser/query.ts'
import { signInOn401 } from '../../../platform/browser/redirects.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { callUrl } from '../../../platform/call.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { formatReward } from '../../../programs/partners/rates.ts'
import action from '../../../ui/Action.module.css'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { getReservationCalendar, listReservations, type Reservation } from '../contract.ts'
import { clockText, dayText } from '../rules.ts'
import { CancelDialog } from './CancelDialog.tsx'
import { ChangeDialog } from './ChangeDialog.tsx'
import styles from './ReservationsPage.module.css'
import { usePeople } from './use-people.ts'

export async function load({ api, cache, url }: PageArgs): Promise<void> {
  await signInOn401(cache.fetch({ ...apiQuery(api, listReservations, {}), staleTime: 0 }), url)
}

export function Page() {
  const t = useCopy()
  const { upcoming, past } = useApiSuspenseQuery(listReservations, {})
  return (
    <>
      <Meta title={t('reservations.all')} />
      <h2>{t('reservations.all')}</h2>
      {upcoming.length === 0 && (
        <EmptyState
          level={3}
          title={t(past.length === 0 ? 'reservations.none_title' : 'reservations.none_upcoming')}
          tagline={t('reservations.none_tagline')}
          action={
            <Link className={action.action} to="/search?reservations=true">
              {t('reservations.find')}
            </Link>
          }
        />
      )}
      {upcoming.length > 0 && (
        <section>
          <h3>{t('reservations.upcoming')}</h3>
          <ul className={styles.list}>
            {upcoming.map((reservation) => (
              <li key={reservation.id}>
                <Upcoming reservation={reservation} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {past.length > 0 && (
        <section>
          <h3>{t('reservations.past')}</h3>
          <ul className={styles.list}>
            {past.map((reservation) => (
              <li key={reservation.id}>
                <Facts reservation={reservation} />
                {reservation.bonusEarned && <BonusLine reservation={reservation} />}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Facts({ reservation }: { reservation: Reservation }) {
  const t = useCopy()
  const people = usePeople()
  const { merchantId, merchantName, date, time, partySize, address, status } = reservation
  return (
    <>
      <h4 className={styles.name}>
        <Link to={`/merchants/${merchantId}`}>{merchantName}</Link>
        {status === 'cancelled' && <Badge>{t('reservations.canceled')}</Badge>}
      </h4>
      <p className={styles.when}>
        <time dateTime={reservation.startsAt}>
          {t('reservations.summary', { people: people(partySize), day: dayText(date), time: clockText(time) })}
        </time>
      </p>
      <p className={styles.where}>{address}</p>
    </>
  )
}

function BonusLine({ reservation: { bonus, bonusEarned } }: { reservation: Reservation }) {
  const t = useCopy()
  const { config } = useProgram()
  if (!bonus) return null
  const key = bonusEarned ? 'reservations.bonus_earned' : 'reservations.bonus_booked'
  return <p>{t(key, { bonus: formatReward(config, bonus.amount) })}</p>
}

function Upcoming({ reservation }: { reservation: Reservation }) {
  const t = useCopy()
  const [dialog, setDialog] = useState<'change' | 'cancel' | null>(null)
  const { id, confirmation } = reservation
  return (
    <>
      <Facts reservation={reservation} />
      <p className={styles.where}>{t('reservations.confirmation', { confirmation })}</p>
      <BonusLine reservation={reservation} />
      <p className={styles.actions}>
        <Button type="button" variant="secondary" onClick={() => setDialog('change')}>
          {t('reservations.change')}
        </Button>
        <Button type="button" variant="quiet" onClick={() => setDialog('cancel')}>
          {t('reservations.cancel')}
        </Button>
        <a href={callUrl(getReservationCalendar, { params: { reservationId: id } })} download>
          {t('reservations.calendar')}
        </a>
      </p>
      {dialog === 'change' && <ChangeDialog reservation={reservation} onClose={() => setDialog(null)} />}
      {dialog === 'cancel' && <CancelDialog reservation={reservation} onClose={() => setDialog(null)} />}
    </>
  )
}
