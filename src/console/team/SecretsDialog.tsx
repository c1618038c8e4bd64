import { Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core'

export interface Secrets {
  name: string
  email: string
  password: string | null
  code: string | null
}

/** Shows what an operator needs to sign in. It is not stored, so it is shown only now. */
export function SecretsDialog({ secrets, onClose }: { secrets: Secrets | null; onClose: () => void }) {
  if (!secrets) return null
  const { name, email, password, code } = secrets
  return (
    // Closed by its button only: what it shows cannot be shown again.
    <Modal
      opened
      onClose={onClose}
      title={`For ${name}`}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Text size="sm">This is shown only now. Pass it on in a way that others cannot read.</Text>
        <Secret label="Sign-in page" value={`${location.origin}/sign-in`} />
        <Secret label="Email address" value={email} />
        {password !== null && <Secret label="Password" value={password} />}
        {code !== null && <Secret label="Code for a passkey, for 7 days" value={code} />}
        <Button onClick={onClose}>Done</Button>
      </Stack>
    </Modal>
  )
}

function Secret({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Group justify="space-between" wrap="nowrap">
        <Code>{value}</Code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy} aria-label={`Copy: ${label}`}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </div>
  )
}
