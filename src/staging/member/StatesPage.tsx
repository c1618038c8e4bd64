import { apiQuery, type PageArgs } from '../../platform/browser/query.ts'
import { Link } from '../../platform/browser/router/Link.tsx'
import { useQueryCache } from '../../platform/browser/use-query.ts'
import { Meta } from '../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { getClock, listFlags, listStagingMembers } from '../contract.ts'
import { stagingText } from '../copy.ts'
import { AllFeatureFlags } from './AllFeatureFlags.tsx'
import { ClockTools } from './ClockTools.tsx'
import { FaultTools } from './FaultTools.tsx'
import { LoadMembers } from './LoadMembers.tsx'
import { MemberTools } from './MemberTools.tsx'
import styles from './StagingPage.module.css'

export async function load({ api, cache }: PageArgs): Promise<void> {
  await Promise.all(
    [listStagingMembers, getClock, listFlags].map((call) => cache.fetch({ ...apiQuery(api, call, {}), staleTime: 0 })),
  )
}

/** Tools for states that would otherwise require a file, weeks or a command: program, members, clock, feature flags. */
export function Page() {
  const { config } = useProgram()
  const cache = useQueryCache()
  return (
    <div className={styles.page}>
      <Meta title={stagingText('states.title')} />
      <h1>{stagingText('states.title')}</h1>
      <p>
        <Link to="/staging-tools">{stagingText('states.back')}</Link>
      </p>
      <h2>{stagingText('states.partner')}</h2>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          // By navigation: the content security policy allows forms only to this host.
          const partner = String(new FormData(event.currentTarget).get('partner'))
          location.assign(`/staging-tools/states?partner=${encodeURIComponent(partner)}`)
        }}
      >
        <TextField label={stagingText('states.partner_code')} name="partner" defaultValue={config.code} required />
        <Button type="submit" variant="secondary">
          {stagingText('states.partner_open')}
        </Button>
      </form>
      <h2>{stagingText('states.clock')}</h2>
      <ClockTools onSet={() => cache.invalidate()} />
      {config.enrollmentType !== 'none' && (
        <>
          <h2>{stagingText('states.members')}</h2>
          <MemberTools />
          {config.hasAutoEnroll && (
            <>
              <h2>{stagingText('states.activations')}</h2>
              <LoadMembers />
            </>
          )}
        </>
      )}
      <h2>{stagingText('states.faults')}</h2>
      <FaultTools />
      <h2>{stagingText('states.switches')}</h2>
      <AllFeatureFlags />
    </div>
  )
}
