import { Alert, Button, Card, Table, Text, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { DetailPage } from '../../../console-kit/DetailPage.tsx'
import { Facts } from '../../../console-kit/Facts.tsx'
import { Time } from '../../../console-kit/format.tsx'
import { useAddress } from '../../../console-kit/links.tsx'
import { useMay, useProgram } from '../../../console-kit/session.tsx'
import { Loaded } from '../../../console-kit/states.tsx'
import { toastDone } from '../../../console-kit/toast.tsx'
import { callUrl } from '../../../platform/call.ts'
import { formatCount } from '../../../platform/money.ts'
import { exportFaults, type FeedFileDetail, getFeedFile, replayFile } from './contract.ts'
import { fileState } from './file-state.ts'
import { faultName } from './names.ts'

/** One file of the card feed, with every rejected line. */
export default function FeedFilePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useCall(getFeedFile, { params: { id } })
  return <Loaded query={query}>{(file) => <FeedFile file={file} />}</Loaded>
}

function FeedFile({ file }: { file: FeedFileDetail }) {
  const address = useAddress()
  const program = useProgram()
  const mayUpload = useMay()('feed.upload')
  const [isReplaying, setReplaying] = useState(false)
  const act = useAct(replayFile)
  const { id, name, upload, faults, rejected } = file
  return (
    <DetailPage
      title={name}
      state={fileState(file)}
      trail={[{ label: 'Feed files', to: address('feed-files') }]}
      actions={
        mayUpload &&
        upload && (
          <Button variant="default" onClick={() => setReplaying(true)} disabled={upload.isWaiting}>
            Replay
          </Button>
        )
      }
      facts={
        <Facts
          title="Results"
          facts={[
            ['Lines read', formatCount(file.lines)],
            ['Applied', formatCount(file.applied)],
            ['Waiting for card or restaurant', formatCount(file.unmatched)],
            ['Known already', formatCount(file.repeated)],
            ['Without effect', formatCount(file.ignored)],
            ['Rejected', formatCount(rejected)],
            ['Started', <Time key="started" at={file.startedAt} />],
            ['Read to its end', file.finishedAt && <Time key="finished" at={file.finishedAt} />],
            ['Uploaded by', upload?.by],
          ]}
        />
      }
    >
      {upload?.failure && (
        <Alert color="red" title="It cannot be read">
          {upload.failure}
        </Alert>
      )}
      <Card withBorder>
        <Title order={2} size="h4" id="rejected">
          Rejected lines
        </Title>
        {faults.length === 0 ? (
          <Text size="sm">No line was rejected.</Text>
        ) : (
          <>
            <Button
              component="a"
              href={callUrl(exportFaults, { params: { program: program.code, id } })}
              download
              variant="default"
              size="xs"
              leftSection={<Download size={14} />}
              my="xs"
            >
              All {formatCount(rejected)} as CSV
            </Button>
            <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
              <Table aria-labelledby="rejected">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th scope="col">Line</Table.Th>
                    <Table.Th scope="col">What is wrong</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {faults.map(({ line, code, texts }) => (
                    <Table.Tr key={line}>
                      <Table.Td>{formatCount(line)}</Table.Td>
                      <Table.Td>{texts.join(' ') || faultName(code)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          </>
        )}
      </Card>
      <ActionDialog
        title={`Replay ${name}`}
        isOpen={isReplaying}
        onClose={() => setReplaying(false)}
        confirmLabel="Replay it"
        asksReason
        onConfirm={async (reason) => {
          await act.mutateAsync({ params: { id }, body: { reason } })
          toastDone('The file is being imported again.')
        }}
      >
        <Text size="sm">
          {file.lines === 1 ? 'Its line is' : `Its ${formatCount(file.lines)} lines are`} read again from the first one.
          Messages that were applied change nothing; lines that were rejected are tried again.
        </Text>
      </ActionDialog>
    </DetailPage>
  )
}
