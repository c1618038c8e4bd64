import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQueryKey, useApi } from '../../../platform/browser/query.ts'
import { localMoment } from '../../../platform/time.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormBanner } from '../../../ui/FormBanner.tsx'
import { useToasts } from '../../../ui/Toasts.tsx'
import { changeReservation, getAvailability, listReservations, type Reservation } from '../contract.ts'
import styles from './ConfirmTable.module.css'
import { type Choice, TablePicker } from './TablePicker.tsx'
import { useFailureText } from './use-failure-text.ts'

/** Changes a reservation; the old table is released only when the new one is booked. */
export function ChangeDialog({ reservation, onClose }: { reservation: Reservation; onClose: () => void }) {
  const t = useCopy()
  const api = useApi()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failureText = useFailureText()
  const { id, merchantId, date, time, partySize, timeZone } = reservation
  const [choice, setChoice] = useState<Choice>({ date, time, partySize })
  const [picked, setPicked] = useState<string>('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function save(): Promise<void> {
    setBusy(true)
    setFailure(null)
    try {
      await api.call(changeReservation, { params: { reservationId: id }, body: { ...choice, time: picked } })
      await cache.invalidateQueries({ queryKey: apiQueryKey(listReservations) })
      toasts.show({ kind: 'success', message: t('reservations.changed') })
      onClose()
    } catch (error) {
      setFailure(failureText(error))
      setBusy(false)
    } finally {
      void cache.invalidateQueries({ queryKey: apiQueryKey(getAvailability) })
    }
  }

  return (
    <Dialog open onClose={onClose} title={t('reservations.change_title')} closeLabel={t('reservations.close')}>
      <TablePicker
        merchantId={merchantId}
        today={localMoment(new Date(), timeZone).date}
        choice={choice}
        onChange={(wanted) => {
          setChoice(wanted)
          setPicked('')
        }}
        onPick={setPicked}
        picked={picked}
      />
      {failure && <FormBanner type="error" title={failure} />}
      <p className={styles.actions}>
        <Button type="button" onClick={save} disabled={picked === ''} busy={busy && t('reservations.changing')}>
          {t('reservations.change_save')}
        </Button>
      </p>
    </Dialog>
  )
}
