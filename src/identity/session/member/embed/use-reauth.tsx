import { type ReactNode, useState } from 'react'
import { ApiCallError } from '../../../../platform/browser/api.ts'
import { useLocation } from '../../../../platform/browser/router/RouterProvider.tsx'
import { MemberForm } from '../../../../programs/content/member/embed/MemberForm.tsx'
import { useApiMutation } from '../../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../../programs/content/member/embed/use-member-form.ts'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import action from '../../../../ui/Action.module.css'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { reauthenticate } from '../../contract.ts'
import { ReauthForm } from '../../forms.ts'
import { authenticateWithPasskey } from '../passkey.ts'
import { PasswordInput } from './PasswordInput.tsx'
import styles from './Reauth.module.css'
import { usePasskeyFailureText } from './use-passkey-failure-text.ts'

interface Reauth {
  /** Runs work. If the server requires re-authentication, shows the dialog and runs the work again afterwards. */
  reauthenticated<T>(work: () => Promise<T>): Promise<T>
  /** The re-authentication dialog. */
  dialog: ReactNode
}

/** The member canceled the dialog; no message is shown. */
export class ReauthCanceled extends Error {}

/** Requires the member to re-authenticate before irreversible actions. */
export function useReauth(): Reauth {
  const [waiting, setWaiting] = useState<{ go: () => void; stop: () => void } | null>(null)

  async function reauthenticated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiCallError && error.code === 'reauthRequired')) throw error
    }
    await new Promise<void>((resolve, reject) => {
      setWaiting({ go: resolve, stop: () => reject(new ReauthCanceled()) })
    }).finally(() => setWaiting(null))
    return work()
  }

  return {
    reauthenticated,
    dialog: waiting && <ReauthDialog onReauthenticated={waiting.go} onClose={waiting.stop} />,
  }
}

function ReauthDialog({ onReauthenticated, onClose }: { onReauthenticated: () => void; onClose: () => void }) {
  const t = useCopy()
  const { config } = useProgram()
  return (
    <Dialog open onClose={onClose} title={t('security.prove_title')} closeLabel={t('dialog.close')}>
      {config.enrollmentType === 'sso' ? <AtProvider /> : <ByPassword onReauthenticated={onReauthenticated} />}
    </Dialog>
  )
}

function AtProvider() {
  const t = useCopy()
  const { pathname } = useLocation()
  return (
    <>
      <p>{t('security.prove_sso')}</p>
      <a className={action.action} href={`/Login?reauth=1&returnTo=${encodeURIComponent(pathname)}`}>
        {t('join.sso_sign_in')}
      </a>
    </>
  )
}

function ByPassword({ onReauthenticated }: { onReauthenticated: () => void }) {
  const t = useCopy()
  const form = useMemberForm(ReauthForm, { password: '' })
  const submit = form.submitting(async ({ password }, send) => {
    await send(reauthenticate, { body: { password } })
    onReauthenticated()
  })
  const byPasskey = useApiMutation((send) => authenticateWithPasskey(send, false), {
    failureText: usePasskeyFailureText(),
    onSuccess: onReauthenticated,
    onFailure: form.fail,
  })
  function withPasskey() {
    form.fail(null)
    void byPasskey.run()
  }
  return (
    <MemberForm state={form} onSubmit={submit} className={styles.form}>
      <p>{t('security.prove_lead')}</p>
      <PasswordInput label={t('login.password')} autoComplete="current-password" {...form.field('password')} />
      <div className={styles.actions}>
        <Button type="submit" busy={form.isSubmitting ? t('form.busy') : false}>
          {t('security.prove')}
        </Button>
        {'PublicKeyCredential' in window && (
          <Button type="button" variant="quiet" onClick={withPasskey}>
            {t('security.prove_passkey')}
          </Button>
        )}
      </div>
    </MemberForm>
  )
}
