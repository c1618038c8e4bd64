import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import X from 'lucide-react/icons/x'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import { useLocation } from '../../../../platform/browser/router/RouterProvider.tsx'
import { themedFrameUrl } from '../../../../platform/browser/themed-frame-url.ts'
import { useCopy, useFill } from '../../../content/member/embed/use-copy.tsx'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { marketingValues } from '../../../tracking/member/embed/marketing.ts'
import { closesAfter, formAddress, panelHeight, type Survey } from '../../rules.ts'
import styles from './SurveyBars.module.css'

interface Props {
  survey: Survey
  startsOpen: boolean
  /** Returns whether the bars cover an element. */
  covers: (element: Element) => boolean
  /** The title was pressed, and the form closed (true) or opened. */
  onCollapse: (isCollapsed: boolean) => void
  onClose: () => void
}

/** One survey: its title opens and closes the form, which the form service hosts on its own origin. */
export function SurveyBar({ survey, startsOpen, covers, onCollapse, onClose }: Props) {
  const t = useCopy()
  const fill = useFill()
  const { pathname } = useLocation()
  const { config, formsOrigin, known } = useProgram()
  const publicId = useMember()?.publicId ?? known?.publicId
  const frame = useRef<HTMLIFrameElement>(null)
  // On a narrow screen, and over the map of the search, the form would cover the page and its buttons: it opens by a
  // press only.
  const isFree = pathname !== '/search'
  const [open, setOpen] = useState(() => startsOpen && isFree && matchMedia('(min-width: 861px)').matches)
  const [wasPressed, setWasPressed] = useState(false)
  if (open && !isFree && !wasPressed) setOpen(false)
  useFocusElsewhere(open, (element) => covers(element) && setOpen(false))
  // The page on which the survey appeared; the member may navigate on.
  const [address] = useState(() =>
    themedFrameUrl(
      formAddress(formsOrigin, {
        serviceCode: config.formServiceCode ?? '',
        survey,
        campaign: marketingValues().utmCampaign,
        pathname,
        publicId,
      }),
    ),
  )
  const sender = { origin: formsOrigin, id: survey.id, source: () => frame.current?.contentWindow ?? null }
  const { isMissing, onLoad } = useFormReady(sender)
  useSubmitted(sender, onClose)
  const title = fill(survey.text)
  const Chevron = open ? ChevronDown : ChevronUp
  function toggle(): void {
    setOpen(!open)
    setWasPressed(true)
    onCollapse(open)
  }
  return (
    <div className={styles.bar}>
      <div className={styles.head}>
        <button type="button" className={styles.title} aria-expanded={open} onClick={toggle}>
          <Chevron aria-hidden="true" size={18} />
          {title}
        </button>
        <button type="button" className={styles.close} aria-label={`${t('survey.close')}: ${title}`} onClick={onClose}>
          <X aria-hidden="true" size={18} />
        </button>
      </div>
      <div role="status">{open && isMissing && <p className={styles.missing}>{t('survey.missing')}</p>}</div>
      {open && !isMissing && (
        <iframe
          ref={frame}
          className={styles.panel}
          style={{ height: panelHeight }}
          src={address}
          title={title}
          onLoad={onLoad}
        />
      )}
    </div>
  )
}

/** Calls back with the newly focused element in the next frame: the page may scroll to it first. */
function useFocusElsewhere(active: boolean, onFocus: (element: Element) => void): void {
  const call = useEffectEvent(onFocus)
  useEffect(() => {
    if (!active) return
    const listener = ({ target }: FocusEvent) => requestAnimationFrame(() => target instanceof Element && call(target))
    document.addEventListener('focusin', listener)
    return () => document.removeEventListener('focusin', listener)
  }, [active])
}

interface Sender {
  origin: string
  id: string
  source: () => Window | null
}

/** Calls back with the type of each message of the framed form; checks origin, source and id. */
function useFormMessage({ origin, id, source }: Sender, onForm: (type: unknown) => void): void {
  const onMessage = useEffectEvent((event: MessageEvent) => {
    const { type, id: about } = (event.data ?? {}) as { type?: unknown; id?: unknown }
    if (event.origin === origin && event.source === source() && about === id) onForm(type)
  })
  useEffect(() => {
    const listener = (event: MessageEvent) => onMessage(event)
    window.addEventListener('message', listener)
    return () => window.removeEventListener('message', listener)
  }, [])
}

/** How long a loaded frame may take to report that it has the form (milliseconds). */
const readyMs = 1000

/**
 * Returns whether the form service has not sent the form. A frame of another origin does not tell whether it could be
 * loaded: the form reports that it is there.
 */
function useFormReady(sender: Sender): { isMissing: boolean; onLoad: () => void } {
  const [state, setState] = useState<'waiting' | 'loaded' | 'ready' | 'missing'>('waiting')
  useFormMessage(sender, (type) => type === 'survey-ready' && setState('ready'))
  useEffect(() => {
    if (state !== 'loaded') return
    const timer = setTimeout(() => setState('missing'), readyMs)
    return () => clearTimeout(timer)
  }, [state])
  return {
    isMissing: state === 'missing',
    onLoad: () => setState((before) => (before === 'waiting' ? 'loaded' : before)),
  }
}

/** Calls back a moment after the framed form reports its submission. */
function useSubmitted(sender: Sender, onSubmitted: () => void): void {
  const [submitted, setSubmitted] = useState(false)
  const close = useEffectEvent(onSubmitted)
  useFormMessage(sender, (type) => type === 'survey-submitted' && setSubmitted(true))
  useEffect(() => {
    if (!submitted) return
    const timer = setTimeout(() => close(), closesAfter)
    // A page that is left earlier must not ask again.
    const left = new AbortController()
    window.addEventListener('pagehide', () => close(), left)
    return () => {
      clearTimeout(timer)
      left.abort()
      close()
    }
  }, [submitted])
}
