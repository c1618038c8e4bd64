import { Anchor, Text } from '@mantine/core'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import type { ListedEmail } from './contract.ts'

/** To whom an email is: the member, as a link, and the masked address. */
export function Recipient({ email: { member, recipient } }: { email: Pick<ListedEmail, 'member' | 'recipient'> }) {
  const address = useAddress()
  return (
    <>
      {member && (
        <Anchor component={Link} size="sm" to={address(`members/${member.id}`)}>
          {member.name || 'The member'}
        </Anchor>
      )}
      <Text size="sm" c="dimmed">
        {recipient || 'Address deleted'}
      </Text>
    </>
  )
}
