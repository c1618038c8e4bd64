import { lazy, Suspense, useEffect, useState } from 'react'
import { tokenMissing } from '../../../../platform/browser/browser-api.ts'
import { getItem, removeItem, setItem } from '../../../../platform/browser/storage.ts'
import { storageKeys } from '../../../../platform/browser/storage-keys.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { ErrorBoundary } from '../../../../ui/ErrorBoundary.tsx'
import { useToasts } from '../../../../ui/Toasts.tsx'
import { useMember } from '../../../members/member/embed/use-member.ts'

// Visitors have no session to keep.
const MemberSession = lazy(() => import('./MemberSession.tsx').then((module) => ({ default: module.MemberSession })))

/** Keeps the session of a member; a page without a member forgets what an earlier one left. */
export function SessionKeeper() {
  const t = useCopy()
  const toasts = useToasts()
  const { operator } = useProgram()
  const isMember = useMember() !== null
  const [hadMember, setHadMember] = useState(false)
  if (isMember && !hadMember) setHadMember(true)

  // An operator sees members without being signed in as one.
  useEffect(() => {
    if (operator !== null || isMember) return
    if (getItem(storageKeys.member)) setItem(storageKeys.member, '')
    removeItem(storageKeys.linkedCard)
  }, [isMember, operator])

  useEffect(() => {
    const showError = () =>
      toasts.show({ id: 'csrf', kind: 'error', message: t('errors.with_code', { code: 'CSRF-0' }) })
    window.addEventListener(tokenMissing, showError)
    return () => window.removeEventListener(tokenMissing, showError)
  }, [t, toasts])

  return hadMember ? (
    <ErrorBoundary>
      <Suspense>
        <MemberSession />
      </Suspense>
    </ErrorBoundary>
  ) : null
}
