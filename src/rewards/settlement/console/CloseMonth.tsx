import { Anchor, Badge, Button, List, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { useMay } from '../../../console-kit/session.tsx'
import { Loaded } from '../../../console-kit/states.tsx'
import { toastDone } from '../../../console-kit/toast.tsx'
import { formatCents, formatCount } from '../../../platform/money.ts'
import { addDays, addMonths } from '../../../platform/time.ts'
import { type ClosePreview, closeMonth, getSettlementMonth, previewCloseMonth } from './contract.ts'
import { nameOfMonth } from './month-name.ts'

/** Whether a month is closed, and the button that closes it. */
export function CloseMonth({ month }: { month: string }) {
  const mayClose = useMay()('settlement.edit')
  const query = useCall(getSettlementMonth, { query: { month } })
  const [isOpen, setOpen] = useState(false)
  const shown = query.data
  if (!shown || query.isPlaceholderData) return null
  if (shown.closed)
    return (
      <Badge color="gray" size="lg">
        Closed
      </Badge>
    )
  if (!mayClose || !shown.isOver || !shown.settles) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Close {nameOfMonth(month)}
      </Button>
      <CloseDialog month={month} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

function CloseDialog({ month, isOpen, onClose }: { month: string; isOpen: boolean; onClose: () => void }) {
  const act = useAct(closeMonth)
  // Not for a month that this dialog has just closed.
  const isAsked = isOpen && !act.isPending && !act.isSuccess
  const preview = useCall(previewCloseMonth, { params: { month } }, { enabled: isAsked })
  return (
    <ActionDialog
      title={`Close ${nameOfMonth(month)}`}
      isOpen={isOpen}
      onClose={onClose}
      confirmLabel="Close the month"
      asksReason
      isReady={preview.data !== undefined && !preview.isPlaceholderData}
      onConfirm={async (reason) => {
        const fingerprint = preview.data?.fingerprint ?? ''
        await act.mutateAsync({ params: { month }, body: { reason, fingerprint } })
        toastDone(`${nameOfMonth(month)} is closed.`)
      }}
    >
      <Loaded query={preview}>{(found) => <Checks preview={found} />}</Loaded>
    </ActionDialog>
  )
}

interface Check {
  count: number
  one: string
  many: string
  path: string
}

function Checks({ preview: { month, totals, open, invoices } }: { preview: ClosePreview }) {
  const address = useAddress()
  const days = `from=${month}-01&to=${addDays(`${addMonths(month, 1)}-01`, -1)}`
  const checks: Check[] = [
    {
      count: open.pending,
      one: 'transaction of the month is pending',
      many: 'transactions of the month are pending',
      path: `transactions?status=Pending&${days}`,
    },
    {
      count: open.credits,
      one: 'statement credit of the month has no outcome',
      many: 'statement credits of the month have no outcome',
      path: `payouts?${days}`,
    },
    {
      count: open.decisions,
      one: 'statement credit needs a decision',
      many: 'statement credits need a decision',
      path: 'payouts?state=attention',
    },
    { count: open.unmatched, one: 'unmatched transaction', many: 'unmatched transactions', path: 'unmatched' },
    { count: open.claims, one: 'open claim', many: 'open claims', path: 'claims' },
    { count: open.approvals, one: 'request waits for approval', many: 'requests wait for approval', path: 'approvals' },
    { count: open.files, one: 'feed file is not finished', many: 'feed files are not finished', path: 'feed-files' },
  ].filter(({ count }) => count > 0)
  return (
    <Stack gap="xs">
      <Text size="sm">
        Restaurants owe <b>{formatCents(totals.owesCents)}</b>, the partner is owed{' '}
        <b>{formatCents(totals.partnerCents)}</b>. These figures stay: what comes later is posted on its own day, in an
        open month. A closed month is not opened again.
      </Text>
      <Text size="sm">
        {invoices.count === 0
          ? 'No restaurant gets an invoice.'
          : `${formatCount(invoices.count)} ${invoices.count === 1 ? 'invoice is' : 'invoices are'} issued, over ${formatCents(invoices.cents)}.`}
      </Text>
      {checks.length === 0 ? (
        <Text size="sm" role="status">
          Nothing is open.
        </Text>
      ) : (
        <>
          <Text size="sm" fw={600} id="open">
            Still open. What comes of it counts for a later month:
          </Text>
          <List size="sm" aria-labelledby="open">
            {checks.map(({ count, one, many, path }) => (
              <List.Item key={path}>
                <Anchor component={Link} size="sm" to={address(path)}>
                  {formatCount(count)} {count === 1 ? one : many}
                </Anchor>
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Stack>
  )
}
