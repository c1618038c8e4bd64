import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '../../console-kit/ActionDialog.tsx'
import { fieldErrorsOf } from '../../console-kit/api.ts'
import { useAct } from '../../console-kit/calls.ts'
import { useSession } from '../../console-kit/session.tsx'
import { type GrantOf, inviteOperator, type TeamRole } from './contract.ts'
import { GrantFields } from './GrantFields.tsx'
import { type Secrets, SecretsDialog } from './SecretsDialog.tsx'

interface InviteDialogProps {
  isOpen: boolean
  onClose: () => void
  roles: readonly TeamRole[]
}

/** Adds an operator, and then shows the first password and the code for a passkey once. */
export function InviteDialog({ isOpen, onClose, roles }: InviteDialogProps) {
  const { programs } = useSession()
  const first: GrantOf = { role: 'viewer', program: programs[0]?.code ?? null }
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [grants, setGrants] = useState([first])
  const [secrets, setSecrets] = useState<Secrets | null>(null)
  const act = useAct(inviteOperator)
  const errors = fieldErrorsOf(act.error)
  const invite = async () => {
    const invited = await act.mutateAsync({ body: { email, name, grants } })
    setSecrets({ ...invited.secrets, name, email })
    setEmail('')
    setName('')
    setGrants([first])
  }
  return (
    <>
      <ActionDialog
        title="Invite an operator"
        isOpen={isOpen}
        onClose={() => {
          act.reset()
          onClose()
        }}
        confirmLabel="Invite"
        onConfirm={invite}
        fields={['email', 'name']}
      >
        <TextInput
          label="Email address"
          type="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={errors.email}
          data-autofocus
        />
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errors.name}
        />
        <GrantFields grants={grants} onChange={setGrants} roles={roles} />
      </ActionDialog>
      <SecretsDialog secrets={secrets} onClose={() => setSecrets(null)} />
    </>
  )
}
