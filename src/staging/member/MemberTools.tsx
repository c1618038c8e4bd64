import { renewCsrf } from '../../identity/session/member/embed/csrf.ts'
import { apiQueryKey, useApiSuspenseQuery } from '../../platform/browser/query.ts'
import { useQueryCache } from '../../platform/browser/use-query.ts'
import { useApiMutation } from '../../programs/content/member/embed/use-api-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { useToasts } from '../../ui/Toasts.tsx'
import { becomeMember, listStagingMembers, makeMember } from '../contract.ts'
import { stagingText } from '../copy.ts'
import { type MemberState, memberStates } from '../rules.ts'
import styles from './StagingPage.module.css'

/** Creates members in every state, and signs this browser in as any of them. */
export function MemberTools() {
  const cache = useQueryCache()
  const toasts = useToasts()
  const { members } = useApiSuspenseQuery(listStagingMembers, {})
  const onFailure = (message: string) => toasts.show({ kind: 'error', message })
  const { run: make, data: made } = useApiMutation(makeMember, {
    onSuccess: () => cache.invalidate(apiQueryKey(listStagingMembers)),
    onFailure,
  })
  const { run: become } = useApiMutation(becomeMember, {
    onSuccess({ csrfToken }) {
      renewCsrf(csrfToken)
      // A full navigation discards all data of the previous member.
      window.location.assign('/account/overview')
    },
    onFailure,
  })

  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void make({ body: { state: new FormData(event.currentTarget).get('state') as MemberState } })
        }}
      >
        <SelectField label={stagingText('states.member_state')} name="state">
          {memberStates.map((state) => (
            <option key={state} value={state}>
              {stagingText(`states.member_${state}`)}
            </option>
          ))}
        </SelectField>
        <Button type="submit" variant="secondary">
          {stagingText('states.member_make')}
        </Button>
      </form>
      {made && (
        <p role="status">
          {stagingText(made.password ? 'states.member_made' : 'states.member_made_without', {
            email: made.email,
            password: made.password ?? '',
          })}
        </p>
      )}
      <ul className={styles.members}>
        {members.map((member) => (
          <li key={member.publicId}>
            <span>
              <strong>{member.email}</strong>
              <br />
              {stagingText('states.member_facts', {
                type: member.memberType,
                tier: member.tierLevel,
                active: stagingText(member.active ? 'states.yes' : 'states.no'),
                profile: stagingText(member.hasWebProfile ? 'states.yes' : 'states.no'),
              })}
            </span>
            <span className={styles.buttons}>
              <Button type="button" variant="secondary" onClick={() => become({ body: { publicId: member.publicId } })}>
                {stagingText('states.member_become')}
                <span className="visually-hidden"> {member.email}</span>
              </Button>
              <a href={`/activate?publicId=${member.publicId}`}>{stagingText('states.member_invite')}</a>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
