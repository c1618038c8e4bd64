import { ReauthCanceled, useReauth } from '../../../identity/session/member/embed/use-reauth.tsx'
import { useApiFetch } from '../../../platform/browser/query.ts'
import { useApiMutation } from '../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../../ui/Button.tsx'
import { useToasts } from '../../../ui/Toasts.tsx'
import { exportData } from '../contract.ts'
import styles from './Privacy.module.css'

/** Downloads all data of the member as a file. */
export function DownloadData() {
  const t = useCopy()
  const fetchApi = useApiFetch()
  const toasts = useToasts()
  const { config } = useProgram()
  const { reauthenticated, dialog } = useReauth()

  // The cache does not retain the file.
  const download = useApiMutation(() => reauthenticated(() => fetchApi(exportData, {}, { isStored: false })), {
    onSuccess: (data) => save(data, `${config.code}-my-data.json`),
    onFailure(message, error) {
      if (!(error instanceof ReauthCanceled)) toasts.show({ kind: 'error', message })
    },
  })

  return (
    <section className={styles.part}>
      <h3>{t('privacy.download')}</h3>
      <p>{t('privacy.download_lead')}</p>
      <Button
        type="button"
        variant="secondary"
        busy={download.isPending ? t('form.busy') : false}
        onClick={() => download.run()}
      >
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
