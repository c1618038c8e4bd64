import { Anchor, Badge, Button, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useCall } from '../../console-kit/calls.ts'
import { Time } from '../../console-kit/format.tsx'
import { Link } from '../../console-kit/links.tsx'
import { Page } from '../../console-kit/Page.tsx'
import { useMayAnywhere } from '../../console-kit/session.tsx'
import { Empty, Loaded } from '../../console-kit/states.tsx'
import { listRoles, listTeam, type TeamOperator } from './contract.ts'
import { GrantList } from './GrantFields.tsx'
import { InviteDialog } from './InviteDialog.tsx'

/** The operators of the programs whose team one may see, and what each may do. */
export default function TeamPage() {
  const team = useCall(listTeam, {})
  const roles = useCall(listRoles, {})
  const may = useMayAnywhere()
  const [isInviting, { open, close }] = useDisclosure()
  return (
    <Page
      title="Team"
      actions={
        <>
          <Button component={Link} to="/team/roles" variant="default">
            Roles
          </Button>
          {may('operators.manage') && roles.data && <Button onClick={open}>Invite</Button>}
        </>
      }
    >
      <Loaded query={team}>
        {({ operators }) =>
          operators.length === 0 ? (
            <Empty title="Nobody yet">Invite the first operator.</Empty>
          ) : (
            <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
              <Table aria-label="Operators">
                <Table.Thead>
                  <Table.Tr>
                    {['Name', 'Roles', 'Passkeys', 'Active'].map((heading) => (
                      <Table.Th key={heading} scope="col">
                        {heading}
                      </Table.Th>
                    ))}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {operators.map((operator) => (
                    <Row key={operator.id} operator={operator} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Loaded>
      {roles.data && <InviteDialog isOpen={isInviting} onClose={close} roles={roles.data.roles} />}
    </Page>
  )
}

function Row({ operator }: { operator: TeamOperator }) {
  const { id, name, email, grants, passkeys, usedAt, isDisabled, isMe } = operator
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} size="sm" to={`/team/${id}`}>
          {name}
        </Anchor>{' '}
        {isMe && <Badge>You</Badge>} {isDisabled && <Badge color="gray">Disabled</Badge>}
        <Text size="xs" c="dimmed">
          {email}
        </Text>
      </Table.Td>
      <Table.Td>
        <GrantList grants={grants} />
      </Table.Td>
      <Table.Td>{passkeys}</Table.Td>
      <Table.Td>{usedAt ? <Time at={usedAt} /> : 'Not now'}</Table.Td>
    </Table.Tr>
  )
}
