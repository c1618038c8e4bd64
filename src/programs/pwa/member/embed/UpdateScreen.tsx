import { useEffect, useRef } from 'react'
import action from '../../../../ui/Action.module.css'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import styles from './UpdateScreen.module.css'
import { useUpdateNeeded } from './use-update-needed.ts'

/** Modal screen without a close button: an outdated app must be updated. */
export function UpdateScreen() {
  const t = useCopy()
  const { nativeApp, config } = useProgram()
  const dialog = useRef<HTMLDialogElement>(null)
  const needed = useUpdateNeeded()
  useEffect(() => {
    if (needed && !dialog.current?.open) dialog.current?.showModal()
  }, [needed])
  if (!needed || !nativeApp) return null
  const store = config.appStores[nativeApp.platform]
  return (
    <dialog
      ref={dialog}
      className={styles.screen}
      aria-labelledby="update-title"
      onCancel={(event) => event.preventDefault()}
    >
      <h2 id="update-title">{t('update.title')}</h2>
      <p>{t('update.text')}</p>
      {store && (
        <a className={action.action} href={store}>
          {t('update.action')}
        </a>
      )}
    </dialog>
  )
}
