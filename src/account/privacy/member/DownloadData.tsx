import { useState } from 'react'
import { ReauthCanceled, useReauth } from '../../../identity/session/member/embed/use-reauth.tsx'
import { useApi } from '../../../platform/browser/query.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useFailureText } from '../../../programs/content/member/embed/use-failure-text.ts'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../../ui/Button.tsx'
import { useToasts } from '../../../ui/Toasts.tsx'
import { exportData } from '../contract.ts'
import styles from './Privacy.module.css'

/** Downloads all data of the member as a file. */
export function DownloadData() {
  const t = useCopy()
  const api = useApi()
  const toasts = useToasts()
  const failureText = useFailureText()
  const { config } = useProgram()
  const { reauthenticated, dialog } = useReauth()
  const [busy, setBusy] = useState(false)

  async function download() {
    setBusy(true)
    try {
      save(await reauthenticated(() => api.call(exportData, {})), `${config.code}-my-data.json`)
    } catch (error) {
      if (!(error instanceof ReauthCanceled)) toasts.show({ kind: 'error', message: failureText(error) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className={styles.part}>
      <h3>{t('privacy.download')}</h3>
      <p>{t('privacy.download_lead')}</p>
      <Button type="button" variant="secondary" busy={busy ? t('form.busy') : false} onClick={download}>
        {t('privacy.download_button')}
      </Button>
      {dialog}
    </section>
  )
}

function save(data: unknown, name: string): void {
  const href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href, download: name })
  link.click()
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}
