import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import styles from './Steps.module.css'

const steps = ['join.step_details', 'join.step_card', 'join.step_done'] as const

/** Progress indicator of joining. */
export function Steps({ at }: { at: 1 | 2 | 3 }) {
  const t = useCopy()
  return (
    <ol className={styles.steps} aria-label={t('join.step', { step: at })}>
      {steps.map((key, index) => (
        <li key={key} aria-current={index + 1 === at ? 'step' : undefined} data-done={index + 1 < at || undefined}>
          <span aria-hidden="true">{index + 1}</span>
          {t(key)}
        </li>
      ))}
    </ol>
  )
}
