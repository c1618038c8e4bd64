import { useState } from 'react'
import { apiQueryKey, useApiQuery } from '../../../platform/browser/query.ts'
import { useQueryCache } from '../../../platform/browser/use-query.ts'
import { localMoment } from '../../../platform/time.ts'
import { useApiMutation } from '../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormBanner } from '../../../ui/FormBanner.tsx'
import { useToasts } from '../../../ui/Toasts.tsx'
import { getMerchant } from '../../merchants/contract.ts'
import { changeReservation, getAvailability, listReservations, type Reservation } from '../contract.ts'
import styles from './ConfirmTable.module.css'
import { type Choice, TablePicker } from './TablePicker.tsx'
import { useFailureText } from './use-failure-text.ts'

/**
 * Changes a reservation; the old table is released only when the new one is booked. The requested time is the selected one
 * when it is available: who changes the party size only need not select it again.
 */
export function ChangeDialog({ reservation, onClose }: { reservation: Reservation; onClose: () => void }) {
  const t = useCopy()
  const cache = useQueryCache()
  const toasts = useToasts()
  const { id, merchantId, date, time, partySize, timeZone } = reservation
  const [choice, setChoice] = useState<Choice>({ date, time, partySize })
  const [picked, setPicked] = useState(time)
  /** What may be wrong with the choice that was saved last; null once another one is made. */
  const [shown, setShown] = useState<'timeMissing' | 'problem' | null>(null)
  const { data: merchant } = useApiQuery(getMerchant, { params: { merchantId } })
  const query = { ...choice, reservationId: id }
  const { data: availability } = useApiQuery(getAvailability, { params: { merchantId }, query })
  const { run, isPending, problem } = useApiMutation(changeReservation, {
    failureText: useFailureText(),
    async onSuccess() {
      await cache.invalidate(apiQueryKey(listReservations))
      toasts.show({ kind: 'success', message: t('reservations.changed') })
      onClose()
    },
    onSettled: () => void cache.invalidate(apiQueryKey(getAvailability)),
  })
  function save() {
    if (choice.date === date && picked === time && choice.partySize === partySize) {
      toasts.show({ kind: 'success', message: t('reservations.unchanged') })
      return onClose()
    }
    // While the times are loading, the server decides.
    const isAvailable = availability?.slots.some((slot) => slot.time === picked) ?? true
    setShown(isAvailable ? 'problem' : 'timeMissing')
    if (isAvailable) void run({ params: { reservationId: id }, body: { ...choice, time: picked } })
  }
  function change(wanted: Choice) {
    const next = wanted.time === choice.time ? { ...wanted, time: picked } : wanted
    setChoice(next)
    pick(next.time)
  }
  function pick(selected: string) {
    setPicked(selected)
    setShown(null)
  }
  function close() {
    // Another tab may have changed or canceled it.
    if (problem) void cache.invalidate(apiQueryKey(listReservations))
    onClose()
  }

  return (
    <Dialog open onClose={close} title={t('reservations.change_title')} closeLabel={t('reservations.close')}>
      <TablePicker
        merchantId={merchantId}
        reservationId={id}
        hours={merchant?.hours}
        today={localMoment(new Date(), timeZone).date}
        choice={choice}
        onChange={change}
        onPick={pick}
        picked={picked}
      />
      {shown === 'timeMissing' && <FormBanner type="error" title={t('reservations.time_missing')} />}
      {shown === 'problem' && problem && <FormBanner type="error" title={problem} />}
      <p className={styles.actions}>
        <Button type="button" onClick={save} busy={isPending && t('reservations.changing')}>
          {t('reservations.change_save')}
        </Button>
      </p>
    </Dialog>
  )
}
