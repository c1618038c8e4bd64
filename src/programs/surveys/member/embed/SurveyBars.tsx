import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from '../../../../platform/browser/router/RouterProvider.tsx'
import { getItem, removeItem, setItem } from '../../../../platform/browser/storage.ts'
import { storageKeys } from '../../../../platform/browser/storage-keys.ts'
import { useHydrated } from '../../../../platform/browser/use-hydrated.ts'
import { useEntries } from '../../../content/member/embed/use-content.ts'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { type Survey, surveysFor, toSurvey } from '../../rules.ts'
import styles from './SurveyBars.module.css'

// Loaded when a survey is due.
const SurveyBar = lazy(() => import('./SurveyBar.tsx').then((module) => ({ default: module.SurveyBar })))

/** Pixels between bars, and above them. */
const gap = 6

const keyOf = (id: string) => `${storageKeys.survey}${id}` as const

/** Stored for a survey whose title was pressed to close its form: it is shown, but does not open by itself again. */
const collapsed = 'collapsed'

function readClosedAt(id: string): number | null {
  const stored = getItem(keyOf(id))
  return stored === null || Number.isNaN(Number(stored)) ? null : Number(stored)
}

/** The surveys of this page as bars at the bottom. */
export function SurveyBars() {
  const { config } = useProgram()
  const inBrowser = useHydrated()
  return inBrowser && config.formServiceCode ? <Bars /> : null
}

function Bars() {
  const t = useCopy()
  const { pathname } = useLocation()
  const entries = useEntries('surveys')
  const [closed, setClosed] = useState<readonly string[]>([])
  const surveys = entries.map(({ fields }) => toSurvey(fields))
  const due = useDelayed(
    surveysFor(surveys, { pathname, now: Date.now(), closedAt: readClosedAt }).filter(({ id }) => !closed.includes(id)),
  )
  const bars = useRef<HTMLElement>(null)
  useBottomBars(bars, due.length)
  if (due.length === 0) return null
  const close = (id: string) => {
    setItem(keyOf(id), String(Date.now()))
    setClosed((before) => [...before, id])
  }
  return (
    <section ref={bars} className={styles.bars} aria-label={t('survey.region')}>
      {due.map((survey, index) => (
        <Suspense key={survey.id}>
          <SurveyBar
            survey={survey}
            startsOpen={index === due.length - 1 && getItem(keyOf(survey.id)) !== collapsed}
            covers={(element) => isCovered(element, bars.current)}
            onCollapse={(isCollapsed) =>
              isCollapsed ? setItem(keyOf(survey.id), collapsed) : removeItem(keyOf(survey.id))
            }
            onClose={() => close(survey.id)}
          />
        </Suspense>
      ))}
    </section>
  )
}

/** Reserves space for the closed bars at the bottom of the page, so that they cover nothing. */
function useBottomBars(bars: RefObject<HTMLElement | null>, count: number): void {
  useEffect(() => {
    const { style } = document.documentElement
    // The number of lines of a title changes with the window.
    const measure = () => {
      const heads = [...(bars.current?.children ?? [])].map((bar) => bar.firstElementChild as HTMLElement)
      const height = heads.reduce((sum, head) => sum + head.offsetHeight + gap, 0)
      style.setProperty('--bottom-bars', `${height}px`)
    }
    const observer = new ResizeObserver(measure)
    if (bars.current && count > 0) observer.observe(bars.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--bottom-bars')
    }
  }, [bars, count])
}

function isCovered(element: Element, bars: Element | null): boolean {
  if (!bars || bars.contains(element)) return false
  const [over, under] = [bars.getBoundingClientRect(), element.getBoundingClientRect()]
  return under.bottom > over.top && under.top < over.bottom && under.right > over.left && under.left < over.right
}

/** Returns surveys whose delay has passed since they could first be shown. */
function useDelayed(surveys: Survey[]): Survey[] {
  const [waited, setWaited] = useState<readonly string[]>([])
  const names = surveys.map(({ id, delay }) => `${id} ${delay}`).join(',')
  useEffect(() => {
    const timers = names
      .split(',')
      .filter(Boolean)
      .map((name) => {
        const [id = '', delay = '0'] = name.split(' ')
        return setTimeout(() => setWaited((before) => [...new Set([...before, id])]), Number(delay) * 1000)
      })
    return () => timers.forEach(clearTimeout)
  }, [names])
  return surveys.filter(({ id }) => waited.includes(id))
}
