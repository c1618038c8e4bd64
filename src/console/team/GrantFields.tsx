import { ActionIcon, Badge, Button, Group, Select, Stack, Text } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import { roleName } from '../../console-kit/permissions.ts'
import { useSession } from '../../console-kit/session.tsx'
import type { GrantOf, TeamRole } from './contract.ts'

const everywhere = ''

/** The roles of an operator, each with where it holds. */
export function GrantList({ grants }: { grants: readonly GrantOf[] }) {
  const { programs } = useSession()
  const nameOf = (code: string | null) =>
    code === null ? 'all programs' : (programs.find((program) => program.code === code)?.name ?? code)
  if (grants.length === 0) return <Text size="sm">None</Text>
  return (
    <Group gap={4}>
      {grants.map(({ role, program }) => (
        <Badge key={`${role} ${program}`} tt="none">
          {roleName(role)}: {nameOf(program)}
        </Badge>
      ))}
    </Group>
  )
}

interface GrantFieldsProps {
  grants: readonly GrantOf[]
  onChange: (grants: GrantOf[]) => void
  roles: readonly TeamRole[]
}

/** The fields of grants: a role and a program each. */
export function GrantFields({ grants, onChange, roles }: GrantFieldsProps) {
  const { programs } = useSession()
  const change = (at: number, changes: Partial<GrantOf>) =>
    onChange(grants.map((grant, index) => (index === at ? { ...grant, ...changes } : grant)))
  return (
    <Stack gap="xs" role="group" aria-label="Roles">
      {grants.map(({ role, program }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike while they are chosen
        <Group key={at} align="flex-end" gap="xs">
          <Select
            label="Role"
            data={roles.map(({ name, label }) => ({ value: name, label }))}
            value={role}
            onChange={(value) => value && change(at, { role: value })}
            allowDeselect={false}
            flex="1 1 150px"
          />
          <Select
            label="Program"
            data={[
              { value: everywhere, label: 'All programs' },
              ...programs.map(({ code, name }) => ({ value: code, label: name })),
            ]}
            value={program ?? everywhere}
            onChange={(value) => change(at, { program: value === everywhere ? null : value })}
            allowDeselect={false}
            flex="1 1 150px"
          />
          <ActionIcon
            variant="default"
            size="lg"
            aria-label="Remove this role"
            onClick={() => onChange(grants.filter((_, index) => index !== at))}
          >
            <X size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="subtle"
        leftSection={<Plus size={16} />}
        onClick={() => onChange([...grants, { role: 'viewer', program: programs[0]?.code ?? null }])}
      >
        Add a role
      </Button>
    </Stack>
  )
}
