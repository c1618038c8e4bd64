import { useEffect, useState } from 'react'
import { ApiCallError } from '../../../platform/browser/api.ts'
import { useLocation } from '../../../platform/browser/router/RouterProvider.tsx'
import { useApiMutation } from '../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
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
  const { hash } = useLocation()
  const [code, setCode] = useState<string | null>(null)
  const [isCodeMissing, setIsCodeMissing] = useState(false)
  const decision = useApiMutation(decideCardMove)
  const failure = isCodeMissing ? t('card_move.no_code') : decision.problem
  const allowed = decision.data?.allowed
  const isOver = decision.error instanceof ApiCallError && decision.error.code === 'moveRequestOver'

  useEffect(() => {
    const given = new URLSearchParams(hash.slice(1)).get('code')
    if (!given) return
    setCode(given)
    // Removes the code from the URL and the history.
    window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [hash])

  function submitDecision(allow: boolean) {
    setIsCodeMissing(code === null)
    if (code !== null) void decision.run({ body: { code, allow } })
  }

  const busy = (allow: boolean) => (decision.pending?.body.allow === allow ? t('form.busy') : false)
  return (
    <div className={formPage.page}>
      <Meta title={t('card_move.title')} />
      <h1>{t('card_move.title')}</h1>
      {failure && <FormBanner type="error" title={t('form.error_title')} message={failure} />}
      {allowed !== undefined ? (
        <FormBanner
          type="success"
          title={t(allowed ? 'card_move.allowed_title' : 'card_move.declined_title')}
          message={t(allowed ? 'card_move.allowed' : 'card_move.declined')}
        />
      ) : isOver ? null : (
        <>
          <p>{t('card_move.question')}</p>
          <p>{t('card_move.decline_means')}</p>
          <p>{t('card_move.allow_means')}</p>
          <div className={styles.choices}>
            <Button type="button" busy={busy(false)} onClick={() => submitDecision(false)}>
              {t('card_move.decline')}
            </Button>
            <Button type="button" variant="secondary" busy={busy(true)} onClick={() => submitDecision(true)}>
              {t('card_move.allow')}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
