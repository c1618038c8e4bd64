import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { renewCsrf } from '../../identity/session/member/embed/csrf.ts'
import { apiQueryKey, useApi, useApiSuspenseQuery } from '../../platform/browser/query.ts'
import { useFailureText } from '../../programs/content/member/embed/use-failure-text.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { useToasts } from '../../ui/Toasts.tsx'
import {
  becomeMember,
  listStagingMembers,
  type MemberState,
  makeMember,
  memberStates,
  type StagingMember,
} from '../contract.ts'
import { stagingText } from '../copy.ts'
import styles from './StagingPage.module.css'

/** Creates members in every state, and signs this browser in as any of them. */
export function MemberTools() {
  const api = useApi()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failureText = useFailureText()
  const { members } = useApiSuspenseQuery(listStagingMembers, {})
  const [made, setMade] = useState<{ email: string; password: string | null } | null>(null)

  async function make(state: MemberState) {
    try {
      setMade(await api.call(makeMember, { body: { state } }))
      await cache.invalidateQueries({ queryKey: apiQueryKey(listStagingMembers) })
    } catch (error) {
      toasts.show({ kind: 'error', message: failureText(error) })
    }
  }
  async function become({ publicId }: StagingMember) {
    try {
      const { csrfToken } = await api.call(becomeMember, { body: { publicId } })
      renewCsrf(csrfToken)
      // A full navigation discards all data of the previous member.
      window.location.assign('/account/overview')
    } catch (error) {
      toasts.show({ kind: 'error', message: failureText(error) })
    }
  }

  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void make(new FormData(event.currentTarget).get('state') as MemberState)
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
              <Button type="button" variant="secondary" onClick={() => become(member)}>
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
