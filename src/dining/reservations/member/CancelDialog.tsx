import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQueryKey, useApi } from '../../../platform/browser/query.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormBanner } from '../../../ui/FormBanner.tsx'
import { useToasts } from '../../../ui/Toasts.tsx'
import { cancelReservation, listReservations, type Reservation } from '../contract.ts'
import { clockText, dayText } from '../rules.ts'
import styles from './ConfirmTable.module.css'
import { useFailureText } from './use-failure-text.ts'

/** Confirmation dialog before a cancellation; names what is lost. */
export function CancelDialog({ reservation, onClose }: { reservation: Reservation; onClose: () => void }) {
  const t = useCopy()
  const api = useApi()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failureText = useFailureText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function cancel(): Promise<void> {
    setBusy(true)
    try {
      await api.call(cancelReservation, { params: { reservationId: reservation.id } })
      await cache.invalidateQueries({ queryKey: apiQueryKey(listReservations) })
      toasts.show({ kind: 'success', message: t('reservations.was_canceled') })
      onClose()
    } catch (error) {
      setFailure(failureText(error))
      setBusy(false)
    }
  }

  const { merchantName, date, time, bonus } = reservation
  return (
    <Dialog open onClose={onClose} title={t('reservations.cancel_title')} closeLabel={t('reservations.close')}>
      <p>{t('reservations.cancel_text', { restaurant: merchantName, day: dayText(date), time: clockText(time) })}</p>
      {bonus && <p>{t('reservations.cancel_bonus')}</p>}
      {failure && <FormBanner type="error" title={failure} />}
      <p className={styles.actions}>
        <Button type="button" variant="danger" onClick={cancel} busy={busy && t('reservations.canceling')}>
          {t('reservations.cancel_yes')}
        </Button>
        <Button type="button" variant="secondary" onClick={onClose}>
          {t('reservations.cancel_no')}
        </Button>
      </p>
    </Dialog>
  )
}
