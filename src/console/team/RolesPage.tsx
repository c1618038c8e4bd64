import { Button, Card, Checkbox, Group, List, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '../../console-kit/ActionDialog.tsx'
import { fieldErrorsOf } from '../../console-kit/api.ts'
import { useAct, useCall } from '../../console-kit/calls.ts'
import { Page } from '../../console-kit/Page.tsx'
import { useMayAnywhere } from '../../console-kit/session.tsx'
import { Loaded } from '../../console-kit/states.tsx'
import { deleteRole, listRoles, saveRole, type TeamRole } from './contract.ts'

interface Editing {
  name: string
  permissions: string[]
  /** Null: a new role. */
  before: TeamRole | null
}

/** The roles, and what each permits. */
export default function RolesPage() {
  const query = useCall(listRoles, {})
  const may = useMayAnywhere()
  const [editing, setEditing] = useState<Editing | null>(null)
  const [removing, setRemoving] = useState<TeamRole | null>(null)
  const save = useAct(saveRole)
  const errors = fieldErrorsOf(save.error)
  const remove = useAct(deleteRole)
  const confirm = () =>
    save.mutateAsync({
      params: { name: editing?.name ?? '' },
      body: { permissions: editing?.permissions ?? [], expected: editing?.before?.permissions ?? null },
    })
  return (
    <Page
      title="Roles"
      trail={[{ label: 'Team', to: '/team' }]}
      actions={
        may('operators.manage') && (
          <Button onClick={() => setEditing({ name: '', permissions: [], before: null })}>New role</Button>
        )
      }
    >
      <Loaded query={query}>
        {({ roles, permissions }) => (
          <>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              {roles.map((role) => (
                <Card key={role.name} withBorder>
                  <Group justify="space-between">
                    <Text fw={600}>{role.label}</Text>
                    <Text size="sm" c="dimmed">
                      {role.operators === 1 ? '1 operator' : `${role.operators} operators`}
                    </Text>
                  </Group>
                  <List size="sm">
                    {permissions
                      .filter(({ name }) => role.permissions.includes(name))
                      .map(({ name, label }) => (
                        <List.Item key={name}>{label}</List.Item>
                      ))}
                  </List>
                  {!role.isBuiltIn && may('operators.manage') && (
                    <Group gap="xs" mt="sm">
                      <Button
                        size="xs"
                        variant="default"
                        onClick={() => setEditing({ name: role.name, permissions: role.permissions, before: role })}
                      >
                        Change {role.label}
                      </Button>
                      <Button size="xs" variant="light" color="red" onClick={() => setRemoving(role)}>
                        Remove {role.label}
                      </Button>
                    </Group>
                  )}
                </Card>
              ))}
            </SimpleGrid>
            <ActionDialog
              title={editing?.before ? `Change ${editing.before.label}` : 'New role'}
              isOpen={editing !== null}
              onClose={() => {
                save.reset()
                setEditing(null)
              }}
              confirmLabel="Save"
              onConfirm={confirm}
              fields={['name', 'permissions']}
            >
              {editing && (
                <Stack>
                  {editing.before ? (
                    <Text size="sm">{editing.before.operators} operators have this role, and change with it.</Text>
                  ) : (
                    <TextInput
                      label="Name"
                      description="2 to 40 small letters, digits and hyphens."
                      value={editing.name}
                      onChange={(event) => setEditing({ ...editing, name: event.currentTarget.value })}
                      error={errors.name}
                      data-autofocus
                    />
                  )}
                  <Checkbox.Group
                    label="Permissions"
                    value={editing.permissions}
                    onChange={(chosen) => setEditing({ ...editing, permissions: chosen })}
                    error={errors.permissions}
                  >
                    <Stack gap={6} mt="xs">
                      {permissions.map(({ name, label }) => (
                        <Checkbox key={name} value={name} label={label} />
                      ))}
                    </Stack>
                  </Checkbox.Group>
                </Stack>
              )}
            </ActionDialog>
            <ActionDialog
              title={`Remove ${removing?.label ?? ''}`}
              isOpen={removing !== null}
              onClose={() => setRemoving(null)}
              confirmLabel="Remove"
              isDangerous
              onConfirm={() => remove.mutateAsync({ params: { name: removing?.name ?? '' } })}
            >
              <Text size="sm">The role is removed when no operator has it.</Text>
            </ActionDialog>
          </>
        )}
      </Loaded>
    </Page>
  )
}
