import { useEffect, useState } from 'react'
import { useMember } from '../../../identity/members/member/embed/use-member.ts'
import { withReturn } from '../../../identity/session/sso/return-path.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { getItem, setItem } from '../../../platform/browser/storage.ts'
import { storageKeys } from '../../../platform/browser/storage-keys.ts'
import { localMoment } from '../../../platform/time.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import action from '../../../ui/Action.module.css'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { MerchantDetail } from '../../merchants/contract.ts'
import { type PendingChoice, parsePending, serializePending } from '../pending-choice.ts'
import { clockText, dayText, defaultPartySize, defaultTime, nearestTime, selectableTimes } from '../rules.ts'
import styles from './ConfirmTable.module.css'
import { ConfirmTable } from './ConfirmTable.tsx'
import { type Choice, TablePicker } from './TablePicker.tsx'
import { usePeople } from './use-people.ts'

type Bookable = Pick<MerchantDetail, 'id' | 'name' | 'timeZone' | 'hours'>

/** Selects a table and books it for signed-in members; others sign in first, and their selection is restored. */
export function BookTable({ merchant }: { merchant: Bookable }) {
  const member = useMember()
  const today = localMoment(new Date(), merchant.timeZone).date
  const [restored] = useState(() => parsePending(getItem(storageKeys.merchantReservation), merchant.id, Date.now()))
  const [choice, setChoice] = useState<Choice>(
    restored ?? {
      date: today,
      time: nearestTime(selectableTimes(merchant.hours, today), defaultTime),
      partySize: defaultPartySize,
    },
  )
  const [picked, setPicked] = useState<string | null>(member && restored ? restored.time : null)
  useEffect(() => {
    // The stored selection has been restored after sign-in.
    if (member && restored) setItem(storageKeys.merchantReservation, '')
  }, [member, restored])
  useEffect(() => {
    if (member || picked === null) return
    // For the return after sign-in. The session of a member can also end after the selection.
    const pending: PendingChoice = { ...choice, time: picked, merchantId: merchant.id }
    setItem(storageKeys.merchantReservation, serializePending(pending, Date.now()))
  }, [member, picked, choice, merchant.id])
  const selection = picked === null ? null : { ...choice, time: picked, merchantId: merchant.id }
  return (
    <>
      <TablePicker
        merchantId={merchant.id}
        today={today}
        hours={merchant.hours}
        choice={choice}
        onChange={setChoice}
        onPick={setPicked}
      />
      {selection && member && (
        <ConfirmTable key={picked} merchant={merchant} selection={selection} onClose={() => setPicked(null)} />
      )}
      {selection && !member && <SignInFirst selection={selection} onClose={() => setPicked(null)} />}
    </>
  )
}

function SignInFirst({ selection, onClose }: { selection: PendingChoice; onClose: () => void }) {
  const t = useCopy()
  const people = usePeople()
  const { enrollmentType } = useProgram().config
  const here = `/merchants/${selection.merchantId}`
  return (
    <Dialog open onClose={onClose} title={t('reservations.sign_in_title')} closeLabel={t('reservations.close')}>
      <p>
        {t('reservations.sign_in_text', {
          people: people(selection.partySize),
          day: dayText(selection.date),
          time: clockText(selection.time),
        })}
      </p>
      <p className={styles.actions}>
        {enrollmentType === 'sso' ? (
          <a className={action.action} href={withReturn('/Login', here)}>
            {t('reservations.sign_in')}
          </a>
        ) : (
          <>
            <Link className={action.action} to={withReturn('/login', here)}>
              {t('reservations.sign_in')}
            </Link>
            <Link to={withReturn('/join', here)}>{t('reservations.join')}</Link>
          </>
        )}
      </p>
    </Dialog>
  )
}
