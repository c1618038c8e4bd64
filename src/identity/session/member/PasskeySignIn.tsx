import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { ApiCallError } from '../../../platform/browser/api.ts'
import { useApi } from '../../../platform/browser/query.ts'
import { useHydrated } from '../../../platform/browser/use-hydrated.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Button } from '../../../ui/Button.tsx'
import type { SignedIn } from '../contract.ts'
import styles from './LoginPage.module.css'
import { authenticateWithPasskey } from './passkey.ts'

interface Props {
  rememberMe: () => boolean
  onSignedIn: (signedIn: SignedIn) => Promise<void>
  onFailure: (message: string) => void
}

/** Signs in with a passkey. Rendered by the server as well, to avoid a layout shift. */
export function PasskeySignIn({ rememberMe, onSignedIn, onFailure }: Props) {
  const t = useCopy()
  const api = useApi()
  const [busy, setBusy] = useState(false)
  const inBrowser = useHydrated()

  async function begin() {
    if (!('PublicKeyCredential' in window)) return onFailure(t('passkey.unsupported'))
    setBusy(true)
    try {
      await onSignedIn(await authenticateWithPasskey(api, rememberMe()))
    } catch (error) {
      onFailure(error instanceof ApiCallError && error.title ? error.title : t('passkey.given_up'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className={styles.other}>
      <p aria-hidden="true">{t('login.or')}</p>
      <Button
        type="button"
        variant="secondary"
        disabled={!inBrowser}
        busy={busy ? t('form.busy') : false}
        onClick={begin}
      >
        <KeyRound aria-hidden="true" size={18} /> {t('login.passkey')}
      </Button>
    </div>
  )
}
