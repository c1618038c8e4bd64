import { useCallback, useState } from 'react'
import { useHuman } from '../../../bot-check/member/embed/use-human.ts'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { ApiError } from '../../../kit/web/api.ts'
import { useApi } from '../../../kit/web/query.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { FormBanner } from '../../../ui/FormBanner.tsx'
import { ScriptForm } from '../../../ui/ScriptForm.tsx'
import { linkCards } from '../../contract.ts'
import type { FrameCard } from '../../frame-message.ts'
import { submittable } from '../../rules.ts'
import styles from './CardForm.module.css'
import { CardFrame } from './CardFrame.tsx'

/** Linking a card: the vault's frame, the consent, and what came of it. */
export function CardForm({ onLinked }: { onLinked: (lastFour: string) => Promise<void> | void }) {
  const t = useCopy()
  const api = useApi()
  const { config } = useProgram()
  const asPerson = useHuman()
  const [card, setCard] = useState<FrameCard | null>(null)
  const [agreed, setAgreed] = useState(false)
  const [attempt, setAttempt] = useState(1)
  const [problem, setProblem] = useState<{ field?: 'card' | 'consent'; messages: string[] } | null>(null)
  const [busy, setBusy] = useState(false)
  const takeCard = useCallback((sealed: FrameCard | null) => {
    setCard(sealed)
    // What the frame says is about the card: a consent that is missing still is.
    if (sealed) setProblem((before) => (before?.field === 'consent' ? before : null))
  }, [])

  async function submit(event: React.FormEvent) {
    event.preventDefault()
    if (!card) return setProblem({ field: 'card', messages: [t('cards.number_missing')] })
    if (!agreed) return setProblem({ field: 'consent', messages: [t('cards.terms_missing')] })
    setBusy(true)
    setProblem(null)
    try {
      const { encryptedCardNumber, lastFour, cardType } = card
      const creditCards = submittable([{ encryptedCardNumber, lastFour, cardType }])
      // The same sealed card sent again is the same request: a lost answer costs nothing.
      const headers = { 'idempotency-key': await fingerprintOf(encryptedCardNumber) }
      const { cardRegistration } = await asPerson((gRecaptchaResponse) =>
        api.call(linkCards, { body: { creditCards, directFileFeedOptIn: true, gRecaptchaResponse } }, { headers }),
      )
      const failed = cardRegistration.filter((item) => item.error)
      if (failed.length === 0) {
        await onLinked(lastFour)
      } else {
        setProblem({
          messages: [
            t('cards.none_linked'),
            ...failed.map(({ memberCard, error }) =>
              t('cards.failed_card', {
                description: memberCard.description,
                lastFour: memberCard.lastFour,
                code: error?.code ?? '',
                message: error?.message ?? '',
              }),
            ),
          ],
        })
        startOver()
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return window.location.assign('/login')
      setProblem({ messages: [error instanceof ApiError && error.title ? error.title : t('errors.offline')] })
    } finally {
      setBusy(false)
    }
  }

  // A sealed card is good for one try: the next needs a fresh frame.
  function startOver() {
    setCard(null)
    setAttempt((count) => count + 1)
  }

  return (
    <ScriptForm onSubmit={submit} className={styles.form}>
      {problem && problem.field !== 'consent' && (
        <FormBanner
          type="error"
          title={t('form.error_title')}
          {...(problem.messages.length === 1 ? { message: problem.messages[0] ?? '' } : { list: problem.messages })}
        />
      )}
      <CardFrame key={attempt} attempt={attempt} onCard={takeCard} />
      {config.statusCopy === 'fuel' && <p className={styles.note}>{t('cards.debit_note')}</p>}
      <CheckboxField
        label={t('cards.file_feed_consent')}
        required
        requiredText={t('form.required_reader')}
        checked={agreed}
        onChange={(event) => setAgreed(event.target.checked)}
        error={problem?.field === 'consent' ? problem.messages[0] : undefined}
      />
      <Button type="submit" busy={busy ? t('cards.do_not_refresh') : false}>
        {t('cards.submit')}
      </Button>
      <p className={styles.note}>{t('cards.vault_note')}</p>
    </ScriptForm>
  )
}

async function fingerprintOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
