import { apiQueryKey, useApiSuspenseQuery } from '../../platform/browser/query.ts'
import { useQueryCache } from '../../platform/browser/use-query.ts'
import { DAY } from '../../platform/time.ts'
import { useApiMutation } from '../../programs/content/member/embed/use-api-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useToasts } from '../../ui/Toasts.tsx'
import { getClock, setClock } from '../contract.ts'
import { stagingText } from '../copy.ts'
import styles from './StagingPage.module.css'

const steps = [1, 7, 36, 366]

/** Sets the clock of the installation. Sessions, emails and codes use the real time. */
export function ClockTools({ onSet }: { onSet: () => Promise<void> }) {
  const cache = useQueryCache()
  const toasts = useToasts()
  const { now, isSet } = useApiSuspenseQuery(getClock, {})
  const { run } = useApiMutation(setClock, {
    queued: true,
    async onSuccess(clock) {
      await onSet()
      cache.set(apiQueryKey(getClock, {}), clock)
    },
    onFailure: (message) => toasts.show({ kind: 'error', message }),
  })
  const set = (at: Date | null) => run({ body: { at: at === null ? null : at.toISOString() } })
  return (
    <>
      <p>{stagingText('states.clock_lead')}</p>
      <p role="status">{stagingText(isSet ? 'states.clock_set' : 'states.clock_real', { now })}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          const typed = new Date(`${new FormData(event.currentTarget).get('at')}Z`)
          if (!Number.isNaN(typed.getTime())) void set(typed)
        }}
      >
        <TextField label={stagingText('states.clock_at')} type="datetime-local" name="at" required />
        <Button type="submit" variant="secondary">
          {stagingText('states.clock_submit')}
        </Button>
      </form>
      <p className={styles.buttons}>
        {steps.map((days) => (
          <Button
            key={days}
            type="button"
            variant="secondary"
            onClick={() => set(new Date(new Date(now).getTime() + days * DAY))}
          >
            {stagingText('states.clock_step', { days })}
          </Button>
        ))}
        <Button type="button" variant="secondary" onClick={() => set(null)}>
          {stagingText('states.clock_reset')}
        </Button>
      </p>
    </>
  )
}
