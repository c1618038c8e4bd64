import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useApi } from '../../../platform/browser/query.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useFailureText } from '../../../programs/content/member/embed/use-failure-text.ts'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { Button } from '../../../ui/Button.tsx'
import { FormBanner } from '../../../ui/FormBanner.tsx'
import formPage from '../../../ui/FormPage.module.css'
import { decideCardMove } from '../contract.ts'
import styles from './ManageCardsPage.module.css'

/**
 * The page that the email to a card's owner links to. The code is in the URL fragment, which no server receives;
 * nothing happens before a button is pressed, because mail scanners open links too.
 */
export function Page() {
  const t = useCopy()
  const api = useApi()
  const failureText = useFailureText()
  const { hash } = useLocation()
  const [code, setCode] = useState<string | null>(null)
  const [sending, setSending] = useState<'decline' | 'allow' | null>(null)
  const [allowed, setAllowed] = useState<boolean | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  useEffect(() => {
    const given = new URLSearchParams(hash.slice(1)).get('code')
    if (!given) return
    setCode(given)
    // Removes the code from the URL and the history.
    window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [hash])

  async function submitDecision(allow: boolean) {
    if (code === null) return setFailure(t('card_move.no_code'))
    setSending(allow ? 'allow' : 'decline')
    setFailure(null)
    try {
      setAllowed((await api.call(decideCardMove, { body: { code, allow } })).allowed)
    } catch (error) {
      setFailure(failureText(error))
    } finally {
      setSending(null)
    }
  }

  const busy = (choice: 'decline' | 'allow') => (sending === choice ? t('form.busy') : false)
  return (
    <div className={formPage.page}>
      <Meta title={t('card_move.title')} />
      <h1>{t('card_move.title')}</h1>
      {failure && <FormBanner type="error" title={t('form.error_title')} message={failure} />}
      {allowed !== null ? (
        <FormBanner
          type="success"
          title={t(allowed ? 'card_move.allowed_title' : 'card_move.declined_title')}
          message={t(allowed ? 'card_move.allowed' : 'card_move.declined')}
        />
      ) : (
        <>
          <p>{t('card_move.question')}</p>
          <p>{t('card_move.decline_means')}</p>
          <p>{t('card_move.allow_means')}</p>
          <div className={styles.choices}>
            <Button type="button" busy={busy('decline')} onClick={() => submitDecision(false)}>
              {t('card_move.decline')}
            </Button>
            <Button type="button" variant="secondary" busy={busy('allow')} onClick={() => submitDecision(true)}>
              {t('card_move.allow')}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
