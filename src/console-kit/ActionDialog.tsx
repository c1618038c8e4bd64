import { Alert, Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { messageOf } from './api.ts'

interface ActionDialogProps {
  title: string
  isOpen: boolean
  onClose: () => void
  /** What will happen: count, sum, examples, from a dry run of the same code. */
  children?: ReactNode
  confirmLabel: string
  isDangerous?: boolean
  /** Whether the operator has to say why. */
  asksReason?: boolean
  /** Carries the act out. The dialog closes when it succeeds, and shows the error otherwise. */
  onConfirm: (reason: string) => Promise<unknown>
  /** Whether the act can be carried out now; by default always. */
  isReady?: boolean
  /** The labels of the form's fields: an error of a field begins with its label. */
  labels?: Readonly<Record<string, string>>
}

const shortestReason = 3

/** The dialog of an act that moves money, concerns many, or cannot be undone. */
export function ActionDialog(props: ActionDialogProps) {
  const {
    title,
    isOpen,
    onClose,
    children,
    confirmLabel,
    isDangerous,
    asksReason,
    onConfirm,
    isReady = true,
    labels,
  } = props
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const close = () => {
    setReason('')
    setProblem(null)
    onClose()
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    // Sent already: a closed dialog is still there while it fades out.
    if (!isOpen || isBusy) return
    if (asksReason && reason.trim().length < shortestReason) return setProblem('Please say why, in a few words.')
    setIsBusy(true)
    try {
      await onConfirm(reason.trim())
      close()
    } catch (error) {
      setProblem(messageOf(error, labels))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          {children}
          {asksReason && (
            <Textarea
              label="Reason"
              description="For the audit log: what happened, or the number of the ticket."
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              error={reason.length > 200 ? 'The reason may have at most 200 characters.' : undefined}
              autosize
              minRows={2}
              data-autofocus
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={isBusy}
              disabled={!isReady || reason.length > 200}
              {...(isDangerous && { color: 'red' })}
            >
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
