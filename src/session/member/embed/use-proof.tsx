import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { useFailureText } from '../../../content/member/embed/use-failure-text.ts'
import { useFieldText } from '../../../content/member/embed/use-field-text.ts'
import { ApiError } from '../../../kit/web/api.ts'
import { showFieldErrors, useContractForm } from '../../../kit/web/form.ts'
import { useApi } from '../../../kit/web/query.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import action from '../../../ui/Action.module.css'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormBanner } from '../../../ui/FormBanner.tsx'
import { ProofForm, prove } from '../../contract.ts'
import { cutPassword } from '../../rules.ts'
import { answerWithPasskey } from '../passkey.ts'
import { PasswordInput } from './PasswordInput.tsx'
import styles from './Proof.module.css'

interface Proof {
  /** Does something; when the server wants to know first who asks, the member is asked, and it is done then. */
  proven<T>(work: () => Promise<T>): Promise<T>
  /** Where the question shows. */
  dialog: ReactNode
}

/** A member gave up being asked; there is nothing to say. */
export class GivenUp extends Error {}

/** Asks the member once more who they are, before what cannot be undone. */
export function useProof(): Proof {
  const [waiting, setWaiting] = useState<{ go: () => void; stop: () => void } | null>(null)

  async function proven<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'proveFirst')) throw error
    }
    await new Promise<void>((resolve, reject) => {
      setWaiting({ go: resolve, stop: () => reject(new GivenUp()) })
    }).finally(() => setWaiting(null))
    return work()
  }

  return {
    proven,
    dialog: waiting && <ProveDialog onProven={waiting.go} onClose={waiting.stop} />,
  }
}

function ProveDialog({ onProven, onClose }: { onProven: () => void; onClose: () => void }) {
  const t = useCopy()
  const { config } = useProgram()
  return (
    <Dialog open onClose={onClose} title={t('security.prove_title')} closeLabel={t('dialog.close')}>
      {config.enrollmentType === 'sso' ? <AtProvider /> : <ByPassword onProven={onProven} />}
    </Dialog>
  )
}

function AtProvider() {
  const t = useCopy()
  const { pathname } = useLocation()
  return (
    <>
      <p>{t('security.prove_sso')}</p>
      <a className={action.action} href={`/Login?anew=1&returnTo=${encodeURIComponent(pathname)}`}>
        {t('join.sso_sign_in')}
      </a>
    </>
  )
}

function ByPassword({ onProven }: { onProven: () => void }) {
  const t = useCopy()
  const text = useFieldText()
  const api = useApi()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string | null>(null)
  const form = useContractForm(ProofForm, { password: '' })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async ({ password }) => {
    setFailure(null)
    try {
      await api.call(prove, { body: { password: cutPassword(password) } })
      onProven()
    } catch (error) {
      if (!showFieldErrors(form, error)) setFailure(failureText(error))
    }
  })
  async function withPasskey() {
    setFailure(null)
    try {
      await answerWithPasskey(api, false)
      onProven()
    } catch (error) {
      setFailure(error instanceof ApiError && error.title ? error.title : t('passkey.given_up'))
    }
  }
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <p>{t('security.prove_lead')}</p>
      {failure && <FormBanner type="error" title={t('form.error_title')} message={failure} />}
      <PasswordInput
        label={t('login.password')}
        autoComplete="current-password"
        error={text(errors.password?.message)}
        {...form.register('password')}
      />
      <div className={styles.actions}>
        <Button type="submit" busy={isSubmitting ? t('form.busy') : false}>
          {t('security.prove')}
        </Button>
        {'PublicKeyCredential' in window && (
          <Button type="button" variant="quiet" onClick={withPasskey}>
            {t('security.prove_passkey')}
          </Button>
        )}
      </div>
    </form>
  )
}
