import { ApiCallError } from '../../../platform/browser/api.ts'
import { apiQueryKey } from '../../../platform/browser/query.ts'
import { useQueryCache } from '../../../platform/browser/use-query.ts'
import { useApiMutation } from '../../../programs/content/member/embed/use-api-mutation.ts'
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
  const cache = useQueryCache()
  const toasts = useToasts()
  const { run, isPending, problem } = useApiMutation(cancelReservation, {
    failureText: useFailureText(),
    async onSuccess() {
      await cache.invalidate(apiQueryKey(listReservations))
      toasts.show({ kind: 'success', message: t('reservations.was_canceled') })
      onClose()
    },
    onFailure(_message, error) {
      // Changed in another tab: the dialog shows its present time.
      const isChanged = error instanceof ApiCallError && error.code === 'reservationChanged'
      if (isChanged) void cache.invalidate(apiQueryKey(listReservations))
    },
  })
  const { id: reservationId, startsAt } = reservation
  const cancel = () => void run({ params: { reservationId }, query: { startsAt } })
  const { merchantName, date, time, bonus } = reservation
  function close() {
    // It may have started.
    if (problem) void cache.invalidate(apiQueryKey(listReservations))
    onClose()
  }
  return (
    <Dialog open onClose={close} title={t('reservations.cancel_title')} closeLabel={t('reservations.close')}>
      <p>{t('reservations.cancel_text', { restaurant: merchantName, day: dayText(date), time: clockText(time) })}</p>
      {bonus && <p>{t('reservations.cancel_bonus')}</p>}
      {problem && <FormBanner type="error" title={problem} />}
      <p className={styles.actions}>
        <Button type="button" variant="danger" onClick={cancel} busy={isPending && t('reservations.canceling')}>
          {t('reservations.cancel_yes')}
        </Button>
        <Button type="button" variant="secondary" onClick={close}>
          {t('reservations.cancel_no')}
        </Button>
      </p>
    </Dialog>
  )
}
