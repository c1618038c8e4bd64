import { Alert, Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { failureOf, fieldErrorsOf } from './api.ts'
import { useShownProblem } from './use-shown-problem.ts'

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
  /** Names of the call's fields that show their own errors. Other errors are shown beside the buttons. */
  fields?: readonly string[]
}

const shortestReason = 3

/** What is filled in, also the buttons of pickers; not the hidden input behind one. */
const fillable = 'input:not([type=hidden], [type=file], :disabled), textarea, select, button[class*="Input-input"]'

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
    fields = [],
  } = props
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const { form, alert } = useShownProblem(problem)
  const close = () => {
    setReason('')
    setProblem(null)
    onClose()
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    // Sent already: a closed dialog is still there while it fades out.
    if (!isOpen || isBusy) return
    if (asksReason && reason.trim().length < shortestReason)
      return setProblem({ text: null, reason: 'Please say why, in a few words.' })
    setIsBusy(true)
    setProblem(null)
    try {
      await onConfirm(reason.trim())
      close()
    } catch (error) {
      setProblem(problemOf(error, asksReason ? [...fields, 'reason'] : fields))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Modal opened={isOpen} onClose={close} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        ref={(element) => {
          form.current = element
          markFirstField(element)
        }}
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        <Stack>
          {children}
          {asksReason && (
            <Textarea
              label="Reason"
              description="For the audit log: what happened, or the number of the ticket."
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              error={reason.length > 200 ? 'The reason may have at most 200 characters.' : problem?.reason}
              autosize
              minRows={2}
            />
          )}
          {problem?.text && (
            <Alert ref={alert} color="red" role="alert" tabIndex={-1}>
              {problem.text}
            </Alert>
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

interface Problem {
  /** Beside the buttons. */
  text: string | null
  /** At the reason. */
  reason: string | undefined
}

/** Returns what a dialog says about a failed act; the messages of `shown` are at their fields. */
function problemOf(error: unknown, shown: readonly string[]): Problem {
  const messages = Object.entries(fieldErrorsOf(error))
  if (messages.length === 0) return { text: failureOf(error), reason: undefined }
  const others = messages.filter(([field]) => !shown.includes(field)).map(([, message]) => message)
  return {
    text: others.length > 0 ? [...new Set(others)].join(' ') : 'Please correct what is marked.',
    reason: shown.includes('reason') ? messages.find(([field]) => field === 'reason')?.[1] : undefined,
  }
}

/** Marks the field that has the focus when the dialog opens: one that says so, or the first. */
function markFirstField(form: HTMLFormElement | null): void {
  if (form?.querySelector('[data-autofocus]') === null)
    form.querySelector(fillable)?.setAttribute('data-autofocus', 'true')
}
