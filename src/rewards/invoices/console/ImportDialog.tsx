import { Alert, FileInput, List, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { messageOf } from '../../../console-kit/api.ts'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { toastDone } from '../../../console-kit/toast.tsx'
import { ApiCallError } from '../../../platform/browser/api.ts'
import { formatCents, formatCount } from '../../../platform/money.ts'
import { importPayments, type PaymentsPreview, previewPayments } from './contract.ts'

/** Records the payments of a file: first it is only read, and says what it does. */
export function ImportDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null)
  const [text, setText] = useState<string | null>(null)
  const query = useCall(previewPayments, { body: { text: text ?? '' } }, { enabled: text !== null })
  const act = useAct(importPayments)
  async function choose(picked: File | null) {
    setFile(picked)
    setText(null)
    if (picked) setText(await picked.text())
  }
  const detail = query.error instanceof ApiCallError ? query.error.detail.problem : undefined
  const problem = text !== null && query.error ? (typeof detail === 'string' ? detail : messageOf(query.error)) : null
  const preview = text === null || query.isPlaceholderData || problem ? undefined : query.data
  return (
    <ActionDialog
      title="Import payments"
      isOpen={isOpen}
      onClose={() => {
        void choose(null)
        onClose()
      }}
      confirmLabel="Record them"
      isReady={preview !== undefined && preview.count > 0}
      onConfirm={async () => {
        if (!file || text === null || !preview) return
        const { fingerprint } = preview
        const { count } = await act.mutateAsync({ body: { text, name: file.name, fingerprint } })
        void choose(null)
        toastDone(count === 1 ? 'One payment is recorded.' : `${formatCount(count)} payments are recorded.`)
      }}
    >
      <Stack>
        <FileInput
          label="File"
          description="CSV with the columns invoice, amount, date, and reference if there is one. Nothing is stored before you have seen what it does."
          placeholder="Choose a file"
          accept=".csv,.txt"
          value={file}
          onChange={(picked) => void choose(picked)}
          error={problem}
          clearable
          clearButtonProps={{ 'aria-label': 'Remove the file' }}
        />
        {file && !preview && !problem && <Text role="status">Reading it…</Text>}
        {preview && <Outcome preview={preview} />}
      </Stack>
    </ActionDialog>
  )
}

/** Payments and lines that the dialog shows. */
const few = 10

function Outcome({ preview: { count, cents, known, payments, problems, leftOut } }: { preview: PaymentsPreview }) {
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {formatCount(count)} {count === 1 ? 'payment is' : 'payments are'} recorded, {formatCents(cents)} in all.
        {known > 0 && ` ${formatCount(known)} ${known === 1 ? 'is' : 'are'} recorded already.`}
        {leftOut > 0 && ` ${formatCount(leftOut)} ${leftOut === 1 ? 'line is' : 'lines are'} left out.`}
      </Text>
      {payments.length > 0 && (
        <Table.ScrollContainer minWidth={360} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table aria-label="The first payments">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Invoice</Table.Th>
                <Table.Th scope="col">Restaurant</Table.Th>
                <Table.Th scope="col" ta="right">
                  Amount
                </Table.Th>
                <Table.Th scope="col" ta="right">
                  Then open
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {payments.slice(0, few).map((payment) => (
                <Table.Tr key={`${payment.number} ${payment.paidOn} ${payment.cents} ${payment.openCents}`}>
                  <Table.Td>{payment.number}</Table.Td>
                  <Table.Td>{payment.merchantName}</Table.Td>
                  <Table.Td ta="right">{formatCents(payment.cents)}</Table.Td>
                  <Table.Td ta="right">{formatCents(payment.openCents)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {problems.length > 0 && (
        <Alert color="orange" title="Left out">
          <List size="sm">
            {problems.slice(0, few).map((text) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
          {leftOut > few && <Text size="sm">And {formatCount(leftOut - few)} more.</Text>}
        </Alert>
      )}
    </Stack>
  )
}
