import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, keepCsrfToken } from '../../console-kit/api.ts'
import { getSession } from '../../console-kit/session/contract.ts'
import { sessionQuery, useSession } from '../../console-kit/session.tsx'
import { setSessionEnded, signInAddress, useSessionEnded } from '../../console-kit/session-end.ts'
import { toastDone } from '../../console-kit/toast.tsx'

/**
 * Says that the session has ended. The page stays as it is, with what was typed, while the operator signs in again in
 * another tab; it goes on when the operator comes back.
 */
export function SessionDialog() {
  const isEnded = useSessionEnded()
  const { operator } = useSession()
  const client = useQueryClient()
  const [isStillEnded, setStillEnded] = useState(false)
  useEffect(() => {
    if (!isEnded) return
    setStillEnded(false)
    const check = async () => {
      const session = await api.call(getSession, {}).catch(() => null)
      if (!session) return setStillEnded(true)
      // What was typed is of somebody else.
      if (session.operator.email !== operator.email) return location.reload()
      keepCsrfToken(session.csrfToken)
      client.setQueryData(sessionQuery.queryKey, session)
      setSessionEnded(false)
      toastDone('You are signed in again.')
      await client.invalidateQueries()
    }
    const onFocus = () => void check()
    window.addEventListener('focus', onFocus)
    return () => window.removeEventListener('focus', onFocus)
  }, [isEnded, operator.email, client])
  const address = isEnded ? signInAddress(location) : ''
  return (
    <Modal
      opened={isEnded}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
      zIndex={400}
    >
      <Stack>
        <Text size="sm">
          What you have typed is still here. Sign in again in another tab, come back, and go on where you were.
        </Text>
        {isStillEnded && (
          <Alert color="orange" role="alert">
            You are not signed in yet.
          </Alert>
        )}
        <Group justify="flex-end">
          <Button component="a" variant="default" href={address}>
            Sign in here
          </Button>
          <Button component="a" href={address} target="_blank" data-autofocus>
            Sign in in another tab
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
