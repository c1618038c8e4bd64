import { useEffect } from 'react'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { localKeys } from '../../../kit/web/local-keys.ts'
import { forget, recall, remember } from '../../../kit/web/storage.ts'
import { useMember } from '../../../members/member/embed/use-member.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { signOutAnyhow } from '../../../session/member/embed/sign-out.ts'
import { endedPath, frameHeader, frameName, idParameter, isExit } from '../../rules.ts'
import styles from './EmulationBanner.module.css'

/** Says that an operator looks, and leads out: by the link, by a word of the console, or when the frame is gone. */
export function EmulationBanner() {
  const t = useCopy()
  const { operator } = useProgram()
  const member = useMember()
  useWayOut()
  if (!operator || !member) return null
  const name = `${member.firstName} ${member.lastName}`
  return (
    <aside className={styles.bar} aria-label={t('emulation.leave')}>
      {t('emulation.banner', { operator: operator.name, member: name })}{' '}
      {t(operator.mayChange ? 'emulation.acting' : 'emulation.looking', { member: name })}{' '}
      <a href="/SignOut">{t('emulation.leave')}</a>
    </aside>
  )
}

function useWayOut(): void {
  const { consoleOrigin, apiBase } = useProgram()
  useEffect(() => {
    const given = new URLSearchParams(window.location.search).get(idParameter)
    if (given) remember(localKeys.emulation, given)
    const isFrame = window.self !== window.top && window.name === frameName
    if (!isFrame) {
      if (recall(localKeys.emulation) === null) return
      // What was left behind is nobody's to go on with.
      forget(localKeys.emulation)
      return window.location.assign('/SignOut')
    }
    const listen = (message: MessageEvent) => {
      if (!isExit(message, consoleOrigin)) return
      forget(localKeys.emulation)
      // The console may take the frame away before it has gone anywhere.
      void signOutAnyhow(apiBase, { [frameHeader]: '1' }).then(() => window.location.assign(endedPath))
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [consoleOrigin, apiBase])
}
