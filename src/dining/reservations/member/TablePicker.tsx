import { useEffect, useRef, useState } from 'react'
import { ApiCallError } from '../../../platform/browser/api.ts'
import { useApiQuery } from '../../../platform/browser/query.ts'
import { parseClock } from '../../../platform/time.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Button } from '../../../ui/Button.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import type { MerchantDetail } from '../../merchants/contract.ts'
import { type Availability, getAvailability, type Slot } from '../contract.ts'
import { clockText, dayText, initialSlots, partySizes, selectableDates, selectableTimes, timeOnDate } from '../rules.ts'
import styles from './TablePicker.module.css'
import { usePeople } from './use-people.ts'

export interface Choice {
  date: string
  time: string
  partySize: number
}

interface Props {
  merchantId: string
  /** The reservation that is to be changed: its table counts as free. */
  reservationId?: string | undefined
  /** The current local date of the restaurant: selectable dates start one day before. */
  today: string
  /** The opening hours, if known: times outside of them are not offered. */
  hours?: MerchantDetail['hours'] | undefined
  choice: Choice
  onChange: (choice: Choice) => void
  onPick: (time: string) => void
  /** The selected time. */
  picked?: string | undefined
}

/** Date, time and party size, and the free tables around them. */
export function TablePicker({
  merchantId,
  reservationId,
  today,
  hours = null,
  choice,
  onChange,
  onPick,
  picked,
}: Props) {
  const t = useCopy()
  const people = usePeople()
  const { first, last } = selectableDates(today)
  const times = selectableTimes(hours, choice.date)
  const isClosed = hours !== null && times.length === 0
  function change(part: Partial<Choice>) {
    const next = { ...choice, ...part }
    onChange({ ...next, time: timeOnDate(hours, next.date, next.time) })
  }
  return (
    <>
      <div className={styles.choices}>
        <TextField
          label={t('reservations.date')}
          type="date"
          min={first}
          max={last}
          value={choice.date}
          onChange={(event) => event.target.value && change({ date: event.target.value })}
        />
        <SelectField
          label={t('reservations.time')}
          value={choice.time}
          onChange={(event) => change({ time: event.target.value })}
        >
          {(times.includes(choice.time) ? times : [choice.time, ...times]).map((time) => (
            <option key={time} value={time}>
              {clockText(time)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('reservations.party')}
          value={choice.partySize}
          onChange={(event) => change({ partySize: Number(event.target.value) })}
        >
          {partySizes.map((count) => (
            <option key={count} value={count}>
              {people(count)}
            </option>
          ))}
        </SelectField>
      </div>
      <Tables
        merchantId={merchantId}
        reservationId={reservationId}
        isClosed={isClosed}
        choice={choice}
        onChange={change}
        onPick={onPick}
        picked={picked}
      />
    </>
  )
}

type TablesProps = Omit<Props, 'today' | 'hours' | 'onChange'> & {
  isClosed: boolean
  onChange: (part: Partial<Choice>) => void
}

function Tables({ merchantId, reservationId, isClosed, choice, onChange, onPick, picked }: TablesProps) {
  const t = useCopy()
  const query = { date: choice.date, time: choice.time, partySize: choice.partySize, reservationId }
  const availability = useApiQuery(getAvailability, { params: { merchantId }, query })
  const found = availability.isPending || availability.isError ? null : availability.data
  const slots = found?.slots ?? []
  // No later try would help.
  const isUnbookable = availability.error instanceof ApiCallError && availability.error.code === 'notBookable'
  const state = isClosed && found?.state === 'none' ? 'closed' : found?.state
  return (
    <>
      <div className={availability.isError || (found && state !== 'available') ? styles.state : undefined}>
        {/* On the page before its text changes, so that every outcome is announced. */}
        <div role="status">
          {availability.isPending && <span className="visually-hidden">{t('reservations.state_loading')}</span>}
          {availability.isError && <p>{t(isUnbookable ? 'error.notBookable' : 'reservations.times_failed')}</p>}
          {found && state !== 'available' && <p>{t(`reservations.state_${state}`)}</p>}
          {slots.length > 0 && (
            <p className="visually-hidden">
              {t(slots.length === 1 ? 'reservations.free_one' : 'reservations.free', { count: slots.length })}
            </p>
          )}
        </div>
        {availability.isError && !isUnbookable && (
          <Button type="button" variant="secondary" onClick={availability.refetch}>
            {t('reservations.retry')}
          </Button>
        )}
        {found?.nextDate && found.state !== 'available' && (
          <Button type="button" variant="secondary" onClick={() => onChange({ date: found.nextDate ?? choice.date })}>
            {t('reservations.next_date', { day: dayText(found.nextDate) })}
          </Button>
        )}
      </div>
      {availability.isPending && <Skeleton height={200} />}
      {slots.length > 0 && (
        <Slots key={choice.date} slots={slots} requestedTime={choice.time} onPick={onPick} picked={picked} />
      )}
    </>
  )
}

function Slots({
  slots,
  requestedTime,
  onPick,
  picked,
}: { slots: Availability['slots']; requestedTime: string } & Pick<Props, 'onPick' | 'picked'>) {
  const t = useCopy()
  const [all, setAll] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  // The button that showed all times is gone: move the focus to the first time.
  useEffect(() => {
    if (all) list.current?.querySelector('button')?.focus()
  }, [all])
  const shown = all ? slots : nearest(slots, requestedTime)
  return (
    <>
      <ul ref={list} className={styles.slots} aria-label={t('reservations.times')}>
        {shown.map(({ time, bonus }) => (
          <li key={time}>
            <button
              type="button"
              onClick={() => onPick(time)}
              aria-pressed={picked === undefined ? undefined : picked === time}
            >
              {clockText(time)}
              {bonus && <span className="visually-hidden">, {t('reservations.slot_bonus')}</span>}
            </button>
          </li>
        ))}
      </ul>
      {shown.length < slots.length && (
        <Button type="button" variant="quiet" onClick={() => setAll(true)}>
          {t('reservations.more')}
        </Button>
      )}
    </>
  )
}

/** Returns the initially shown times: the nearest to the requested one, in order of time. */
function nearest(slots: readonly Slot[], requestedTime: string): Slot[] {
  const away = ({ time }: Slot) => Math.abs(parseClock(time) - parseClock(requestedTime))
  return slots
    .toSorted((a, b) => away(a) - away(b))
    .slice(0, initialSlots)
    .toSorted((a, b) => parseClock(a.time) - parseClock(b.time))
}
