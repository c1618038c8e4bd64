import KeyRound from 'lucide-react/icons/key-round'
import { useHydrated } from '../../../platform/browser/use-hydrated.ts'
import { useApiMutation } from '../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Button } from '../../../ui/Button.tsx'
import type { SignedIn } from '../contract.ts'
import { usePasskeyFailureText } from './embed/use-passkey-failure-text.ts'
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
  const inBrowser = useHydrated()

  const failureText = usePasskeyFailureText()
  const { run, isPending } = useApiMutation((send) => authenticateWithPasskey(send, rememberMe()), {
    failureText,
    onSuccess: onSignedIn,
    onFailure,
  })

  function begin() {
    if (!('PublicKeyCredential' in window)) return onFailure(t('passkey.unsupported'))
    void run()
  }

  return (
    <div className={styles.other}>
      <p aria-hidden="true">{t('login.or')}</p>
      <Button
        type="button"
        variant="secondary"
        disabled={!inBrowser}
        busy={isPending ? t('form.busy') : false}
        onClick={begin}
      >
        <KeyRound aria-hidden="true" size={18} /> {t('login.passkey')}
      </Button>
    </div>
  )
}
