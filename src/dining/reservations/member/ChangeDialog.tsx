import { useState } from 'react'
import { apiQueryKey } from '../../../platform/browser/query.ts'
import { useQueryCache } from '../../../platform/browser/use-query.ts'
import { localMoment } from '../../../platform/time.ts'
import { useApiMutation } from '../../../programs/content/member/embed/use-api-mutation.ts'
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
  const cache = useQueryCache()
  const toasts = useToasts()
  const { id, merchantId, date, time, partySize, timeZone } = reservation
  const [choice, setChoice] = useState<Choice>({ date, time, partySize })
  const [picked, setPicked] = useState<string>('')
  const { run, isPending, problem } = useApiMutation(changeReservation, {
    failureText: useFailureText(),
    async onSuccess() {
      await cache.invalidate(apiQueryKey(listReservations))
      toasts.show({ kind: 'success', message: t('reservations.changed') })
      onClose()
    },
    onSettled: () => void cache.invalidate(apiQueryKey(getAvailability)),
  })
  const save = () => void run({ params: { reservationId: id }, body: { ...choice, time: picked } })

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
      {problem && <FormBanner type="error" title={problem} />}
      <p className={styles.actions}>
        <Button type="button" onClick={save} disabled={picked === ''} busy={isPending && t('reservations.changing')}>
          {t('reservations.change_save')}
        </Button>
      </p>
    </Dialog>
  )
}
