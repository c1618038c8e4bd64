import { Button, Card, List, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionDialog } from '../../console-kit/ActionDialog.tsx'
import { useAct, useCall } from '../../console-kit/calls.ts'
import { DetailPage } from '../../console-kit/DetailPage.tsx'
import { Facts } from '../../console-kit/Facts.tsx'
import { Time } from '../../console-kit/format.tsx'
import { useMayAnywhere } from '../../console-kit/session.tsx'
import { Loaded } from '../../console-kit/states.tsx'
import { useEditedList } from '../../console-kit/use-edited-list.ts'
import {
  endOperatorSessions,
  type GrantOf,
  getTeamOperator,
  listRoles,
  renewEnrollCode,
  renewPassword,
  setOperatorDisabled,
  setOperatorGrants,
  type TeamOperatorDetail,
} from './contract.ts'
import { GrantFields, GrantList } from './GrantFields.tsx'
import { type Secrets, SecretsDialog } from './SecretsDialog.tsx'

/** One operator: what the operator may do, where it is signed in, and the passkeys. */
export default function OperatorPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useCall(getTeamOperator, { params: { id: Number(id) } })
  return <Loaded query={query}>{(operator) => <OperatorView key={operator.id} operator={operator} />}</Loaded>
}

type Dialog = 'grants' | 'sessions' | 'code' | 'password' | 'disabled'

function OperatorView({ operator }: { operator: TeamOperatorDetail }) {
  const { id, name, email, isDisabled, isMe, grants, sessions, passkeyNames, mayChange } = operator
  const may = useMayAnywhere()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [secrets, setSecrets] = useState<Secrets | null>(null)
  const [chosen, setChosen] = useEditedList<GrantOf>(grants, ({ role, program }) => `${role} ${program}`)
  const roles = useCall(listRoles, {})
  const setGrants = useAct(setOperatorGrants)
  const end = useAct(endOperatorSessions)
  const renew = useAct(renewEnrollCode)
  const replace = useAct(renewPassword)
  const disable = useAct(setOperatorDisabled)
  const params = { id }
  const close = () => setDialog(null)
  const openGrants = () => {
    setChosen([...grants])
    setDialog('grants')
  }
  const renewCode = async (reason: string) => {
    const renewed = await renew.mutateAsync({ params, body: { reason } })
    setSecrets({ ...renewed.secrets, name, email })
  }
  const replacePassword = async (reason: string) => {
    const replaced = await replace.mutateAsync({ params, body: { reason } })
    setSecrets({ ...replaced.secrets, name, email })
  }
  return (
    <DetailPage
      title={name}
      state={isDisabled ? { label: 'Disabled', color: 'gray' } : undefined}
      trail={[{ label: 'Team', to: '/team' }]}
      actions={
        may('operators.manage') &&
        !isMe && (
          <>
            <Button onClick={openGrants}>Change roles</Button>
            {mayChange && (
              <>
                <Button variant="default" onClick={() => setDialog('sessions')}>
                  End sessions
                </Button>
                {!isDisabled && (
                  <>
                    <Button variant="default" onClick={() => setDialog('password')}>
                      New password
                    </Button>
                    <Button variant="default" onClick={() => setDialog('code')}>
                      New passkey code
                    </Button>
                  </>
                )}
                <Button color="red" variant="light" onClick={() => setDialog('disabled')}>
                  {isDisabled ? 'Enable' : 'Disable'}
                </Button>
              </>
            )}
          </>
        )
      }
      facts={
        <Facts
          facts={[
            ['Email address', email],
            ['Passkeys', passkeyNames.length],
            ['Sessions', sessions.length],
          ]}
        />
      }
    >
      <Card withBorder>
        <Text fw={600} mb="xs">
          Roles
        </Text>
        <GrantList grants={grants} />
        {isMe && <Text size="sm">Another administrator can change your own access.</Text>}
      </Card>
      <Card withBorder>
        <Text fw={600} mb="xs">
          Sessions
        </Text>
        {sessions.length === 0 ? (
          <Text size="sm">Signed in nowhere.</Text>
        ) : (
          <List size="sm">
            {sessions.map(({ startedAt, usedAt, passkeyVerified }) => (
              <List.Item key={startedAt}>
                Since <Time at={startedAt} />, last used <Time at={usedAt} />
                {passkeyVerified ? ', with a passkey' : ', without a passkey'}
              </List.Item>
            ))}
          </List>
        )}
      </Card>
      <Card withBorder>
        <Text fw={600} mb="xs">
          Passkeys
        </Text>
        {passkeyNames.length === 0 ? (
          <Text size="sm">None.</Text>
        ) : (
          <List size="sm">
            {passkeyNames.map((passkey) => (
              <List.Item key={passkey.createdAt}>
                {passkey.name}, since <Time at={passkey.createdAt} />
              </List.Item>
            ))}
          </List>
        )}
      </Card>
      <ActionDialog
        title={`Roles of ${name}`}
        isOpen={dialog === 'grants'}
        onClose={close}
        confirmLabel="Change roles"
        asksReason
        isReady={roles.data !== undefined}
        onConfirm={(reason) => setGrants.mutateAsync({ params, body: { grants: chosen, expected: grants, reason } })}
      >
        <GrantFields grants={chosen} onChange={setChosen} roles={roles.data?.roles ?? []} />
      </ActionDialog>
      <ActionDialog
        title={`End the sessions of ${name}`}
        isOpen={dialog === 'sessions'}
        onClose={close}
        confirmLabel="End sessions"
        isDangerous
        asksReason
        onConfirm={(reason) => end.mutateAsync({ params, body: { reason } })}
      >
        <Text size="sm">
          {counted(sessions, 'session ends', 'sessions end')}, and so do open previews and views of members.
        </Text>
      </ActionDialog>
      <ActionDialog
        title={`New passkey code for ${name}`}
        isOpen={dialog === 'code'}
        onClose={close}
        confirmLabel="Remove passkeys and make a code"
        isDangerous
        asksReason
        onConfirm={renewCode}
      >
        <Text size="sm">
          {counted(passkeyNames, 'passkey is removed', 'passkeys are removed')}, and{' '}
          {counted(sessions, 'session ends', 'sessions end')}. The new code is shown once.
        </Text>
      </ActionDialog>
      <ActionDialog
        title={`New password for ${name}`}
        isOpen={dialog === 'password'}
        onClose={close}
        confirmLabel="Replace the password"
        isDangerous
        asksReason
        onConfirm={replacePassword}
      >
        <Text size="sm">
          The old password is no longer valid, and {counted(sessions, 'session ends', 'sessions end')}. The passkeys
          stay. The new password is shown once.
        </Text>
      </ActionDialog>
      <ActionDialog
        title={isDisabled ? `Enable ${name}` : `Disable ${name}`}
        isOpen={dialog === 'disabled'}
        onClose={close}
        confirmLabel={isDisabled ? 'Enable' : 'Disable'}
        isDangerous={!isDisabled}
        asksReason
        onConfirm={(reason) => disable.mutateAsync({ params, body: { isDisabled: !isDisabled, reason } })}
      >
        <Text size="sm">
          {isDisabled
            ? 'The old password is valid again. A passkey needs a new code.'
            : `${counted(sessions, 'session ends', 'sessions end')}, and ${counted(passkeyNames, 'passkey is removed', 'passkeys are removed')}. The roles stay.`}
        </Text>
      </ActionDialog>
      <SecretsDialog secrets={secrets} onClose={() => setSecrets(null)} />
    </DetailPage>
  )
}

const counted = ({ length }: readonly unknown[], one: string, many: string) => `${length} ${length === 1 ? one : many}`
