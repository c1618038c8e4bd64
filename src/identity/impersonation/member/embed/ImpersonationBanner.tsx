import { useEffect } from 'react'
import { getItem, removeItem, setItem } from '../../../../platform/browser/storage.ts'
import { storageKeys } from '../../../../platform/browser/storage-keys.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { useMember } from '../../../members/member/embed/use-member.ts'
import { signOutInBackground } from '../../../session/member/embed/sign-out.ts'
import { endedPath, frameHeader, frameName, idParameter, isExit } from '../../rules.ts'
import styles from './ImpersonationBanner.module.css'

/**
 * Indicates an impersonation. It ends by the link, by a message of the console, or when the page is loaded outside the
 * frame.
 */
export function ImpersonationBanner() {
  const t = useCopy()
  const { operator } = useProgram()
  const member = useMember()
  useImpersonationExit()
  if (!operator || !member) return null
  const name = `${member.firstName} ${member.lastName}`.trim()
  return (
    <aside className={styles.bar} aria-label={t('emulation.leave')}>
      {t('emulation.banner', { operator: operator.name, member: name })}{' '}
      {t(operator.mayChange ? 'emulation.acting' : 'emulation.looking', { member: name })}{' '}
      <a href="/SignOut">{t('emulation.leave')}</a>
    </aside>
  )
}

function useImpersonationExit(): void {
  const { consoleOrigin, apiBase } = useProgram()
  useEffect(() => {
    const given = new URLSearchParams(window.location.search).get(idParameter)
    if (given) setItem(storageKeys.impersonation, given)
    const isFrame = window.self !== window.top && window.name === frameName
    if (!isFrame) {
      if (getItem(storageKeys.impersonation) === null) return
      // A leftover impersonation must not continue outside the frame.
      removeItem(storageKeys.impersonation)
      return window.location.assign('/SignOut')
    }
    const listen = (message: MessageEvent) => {
      if (!isExit(message, consoleOrigin)) return
      removeItem(storageKeys.impersonation)
      // The console may remove the frame before the navigation completes.
      void signOutInBackground(apiBase, { [frameHeader]: '1' }).then(() => window.location.assign(endedPath))
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [consoleOrigin, apiBase])
}
