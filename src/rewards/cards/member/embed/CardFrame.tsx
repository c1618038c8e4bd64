import { useEffect, useRef, useState } from 'react'
import { ApiCallError } from '../../../../platform/browser/api.ts'
import { themedFrameUrl } from '../../../../platform/browser/themed-frame-url.ts'
import { SECOND } from '../../../../platform/time.ts'
import { useApiMutationOnMount } from '../../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { track } from '../../../../programs/tracking/member/embed/tracker.ts'
import { FormBanner } from '../../../../ui/FormBanner.tsx'
import { Spinner } from '../../../../ui/Spinner.tsx'
import { createCardIntent } from '../../contract.ts'
import {
  checkMessage,
  type FrameCard,
  type FrameProblem,
  type FrameState,
  readFrameMessage,
} from '../../frame-message.ts'
import styles from './CardFrame.module.css'

const loadLimit = 20 * SECOND

interface Props {
  attempt: number
  /** Number of submissions without a complete card: each makes the frame show its errors. */
  checks: number
  /** Why the form is not ready yet: shown in place of the frame, which loads meanwhile. */
  wait: string | undefined
  /** Called with the problems of a card that is not complete. */
  onCard: (card: FrameCard | null, problems: readonly FrameProblem[]) => void
}

/** The problems of a frame into which nothing was typed. */
export const nothingTyped: readonly FrameProblem[] = ['missing', 'expiry']

const problemsIn = ({ wrong, both }: FrameState): readonly FrameProblem[] =>
  wrong === undefined ? nothingTyped : both ? [wrong, 'expiry'] : [wrong]

/** The vault's card-entry frame. This page never receives the number, only a value sealed for the vault. */
export function CardFrame({ attempt, checks, wait, onCard }: Props) {
  const t = useCopy()
  const { vaultOrigin } = useProgram()
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState<number | undefined>(undefined)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  // Once per attempt: another intent is another frame, without the card that was typed into this one.
  const { data: intent, error } = useApiMutationOnMount(createCardIntent, { body: { attempt } }, { staysOn401: true })

  useEffect(() => {
    let isHere = false
    const late = setTimeout(() => {
      if (isHere) return
      setState('failed')
      track({ eventName: 'CardFrameFailed' })
    }, loadLimit)
    const receive = (event: MessageEvent) => {
      // Only from this frame and the vault's own origin, and only valid messages.
      if (event.origin !== vaultOrigin || event.source !== frame.current?.contentWindow) return
      const message = readFrameMessage(event.data)
      if (!message) return
      if (message.type === 'dineback-card') return onCard(message, nothingTyped)
      if (message.state === 'ready' && !isHere) {
        isHere = true
        setState('ready')
        track({ eventName: 'CardFrameLoaded' })
      }
      if (message.state === 'invalid' || message.state === 'cleared') onCard(null, problemsIn(message))
      if (message.height) setHeight(Math.min(700, Math.max(80, message.height)))
    }
    window.addEventListener('message', receive)
    return () => {
      clearTimeout(late)
      window.removeEventListener('message', receive)
    }
  }, [vaultOrigin, onCard])

  useEffect(() => {
    if (checks === 0) return
    // The frame can move the focus within itself only once it has it.
    frame.current?.focus()
    frame.current?.contentWindow?.postMessage(checkMessage, vaultOrigin)
  }, [checks, vaultOrigin])

  if (error || state === 'failed') {
    // Server errors have their own text; the browser message applies only without a response.
    const serverMessage = error instanceof ApiCallError && error.status > 0 ? error.title : ''
    return (
      <FormBanner type="warning" title={t('cards.frame_title')} message={serverMessage || t('cards.frame_failed')} />
    )
  }
  const isShown = state === 'ready' && wait === undefined
  return (
    <div className={styles.frame}>
      {!isShown && (
        <div className={styles.wait}>
          <Spinner label={wait ?? t('page.loading')} />
          {wait && <p aria-hidden="true">{wait}</p>}
        </div>
      )}
      {intent && (
        <iframe
          ref={frame}
          key={intent.intentId}
          title={t('cards.frame_title')}
          src={themedFrameUrl(intent.frameUrl)}
          height={height}
          data-ready={isShown || undefined}
          referrerPolicy="origin"
        />
      )}
    </div>
  )
}
