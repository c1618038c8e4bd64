import { Alert, FileInput, List, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { messageOf, uploadFile } from '../../../console-kit/api.ts'
import { useAddress, useOpen } from '../../../console-kit/links.tsx'
import { useProgram } from '../../../console-kit/session.tsx'
import { toastDone } from '../../../console-kit/toast.tsx'
import { ApiCallError } from '../../../platform/browser/api.ts'
import type { ReplyOf } from '../../../platform/call.ts'
import { formatCount } from '../../../platform/money.ts'
import { checkFeedFile, listFeedFiles, uploadFeedFile } from './contract.ts'
import { faultName } from './names.ts'

type Check = ReplyOf<typeof checkFeedFile>

/** Uploads a file: first it is only read, then a job imports it. */
export function UploadDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { code } = useProgram()
  const open = useOpen()
  const address = useAddress()
  const client = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [check, setCheck] = useState<Check | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const given = (name: string) => ({ params: { program: code }, query: { name } }) as never
  async function choose(chosen: File | null) {
    setFile(chosen)
    setCheck(null)
    setProblem(null)
    if (!chosen) return
    try {
      setCheck(await uploadFile(checkFeedFile, given(chosen.name), chosen))
    } catch (error) {
      const detail = error instanceof ApiCallError ? error.detail.problem : undefined
      setProblem(typeof detail === 'string' ? detail : messageOf(error))
    }
  }
  return (
    <ActionDialog
      title="Upload a file of the card feed"
      isOpen={isOpen}
      onClose={() => {
        void choose(null)
        onClose()
      }}
      confirmLabel="Import it"
      isReady={check !== null && isImportable(check)}
      onConfirm={async () => {
        if (!file) return
        const refresh = () => client.invalidateQueries({ queryKey: [listFeedFiles.id] })
        const stored = await uploadFile(uploadFeedFile, given(file.name), file).finally(refresh)
        toastDone('The file is being imported.')
        open(address(`feed-files/${stored.id}`))
      }}
    >
      <Stack>
        <FileInput
          label="File"
          description="CSV or JSON lines, up to 32 MB. Nothing is stored before you have seen what it does."
          placeholder="Choose a file"
          accept=".csv,.ndjson,.jsonl"
          value={file}
          onChange={(chosen) => void choose(chosen)}
          error={problem}
          clearable
          clearButtonProps={{ 'aria-label': 'Remove the file' }}
        />
        {file && !check && !problem && <Text role="status">Reading it…</Text>}
        {check && <CheckResult check={check} />}
      </Stack>
    </ActionDialog>
  )
}

/** A file with a card number, or without a line that could be applied, is not imported at all. */
const isImportable = ({ cardNumberLine, isKnown, rejected, lines }: Check) =>
  cardNumberLine === null && !isKnown && rejected < lines

function CheckResult({ check }: { check: Check }) {
  const { lines, applied, unmatched, repeated, ignored, rejected, faults, isKnown, cardNumberLine } = check
  if (cardNumberLine !== null) {
    return (
      <Alert color="red" role="alert" title="The whole file is refused">
        Line {formatCount(cardNumberLine)} holds a card number, which must never be stored. Remove it, and choose the
        file again.
      </Alert>
    )
  }
  return (
    <Stack gap="xs" role="status">
      {isKnown && <Alert color="orange">This file was imported before. Open it in the list to replay it.</Alert>}
      <Text>
        {formatCount(lines)} {lines === 1 ? 'line' : 'lines'} read: {formatCount(applied)} will be applied,{' '}
        {formatCount(unmatched)} will wait for a card or restaurant, {formatCount(repeated)} are known already,{' '}
        {formatCount(ignored)} have no effect, and {formatCount(rejected)} are rejected.
      </Text>
      {faults.length > 0 && (
        <List size="sm" aria-label="The first rejected lines">
          {faults.slice(0, 10).map(({ line, code, texts }) => (
            <List.Item key={line}>{texts.join(' ') || `Line ${line}: ${faultName(code)}`}</List.Item>
          ))}
        </List>
      )}
    </Stack>
  )
}
