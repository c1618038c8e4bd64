import { Anchor, Badge, Button } from '@mantine/core'
import { useState } from 'react'
import { Time } from '../../../console-kit/format.tsx'
import { type Column, ListPage } from '../../../console-kit/ListPage.tsx'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { useMay } from '../../../console-kit/session.tsx'
import { formatCount } from '../../../platform/money.ts'
import { type FeedFile, listFeedFiles } from './contract.ts'
import { fileState } from './file-state.ts'
import { ReplayDialog } from './ReplayDialog.tsx'
import { UploadDialog } from './UploadDialog.tsx'

const counts: readonly (readonly [
  keyof FeedFile & ('lines' | 'applied' | 'unmatched' | 'repeated' | 'ignored' | 'rejected'),
  string,
])[] = [
  ['lines', 'Lines read'],
  ['applied', 'Applied'],
  ['unmatched', 'Waiting for card or restaurant'],
  ['repeated', 'Known already'],
  ['ignored', 'Without effect'],
  ['rejected', 'Rejected'],
]

/** The files of the card feed: their results, and the upload of another. */
export default function FeedFilesPage() {
  const address = useAddress()
  const mayUpload = useMay()('feed.upload')
  const [dialog, setDialog] = useState<'upload' | 'replay' | null>(null)
  const close = () => setDialog(null)
  const columns: Column<FeedFile>[] = [
    {
      id: 'name',
      header: 'File',
      cell: ({ id, name }) => (
        <Anchor component={Link} size="sm" to={address(`feed-files/${id}`)}>
          {name}
        </Anchor>
      ),
    },
    { id: 'started', header: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
    ...counts.map(
      ([id, header]): Column<FeedFile> => ({ id, header, align: 'right', cell: (file) => formatCount(file[id]) }),
    ),
    {
      id: 'state',
      header: 'State',
      cell: (file) => {
        const { label, color } = fileState(file)
        return <Badge color={color}>{label}</Badge>
      },
    },
    { id: 'by', header: 'Uploaded by', isOptional: true, cell: ({ upload }) => upload?.by ?? 'Command line' },
  ]
  return (
    <ListPage
      title="Feed files"
      call={listFeedFiles}
      columns={columns}
      filters={[
        { kind: 'text', name: 'q', label: 'Name of the file' },
        {
          kind: 'choice',
          name: 'state',
          label: 'State',
          options: [
            { value: 'any', label: 'All files' },
            { value: 'stuck', label: 'Not finished after an hour' },
          ],
        },
      ]}
      keyOf={({ id }) => id}
      addressOf={({ id }) => address(`feed-files/${id}`)}
      empty={{
        title: 'No file was read yet',
        text: 'Upload one here. Events that come by webhook are not listed.',
      }}
      actions={
        mayUpload && (
          <>
            <Button variant="default" onClick={() => setDialog('replay')}>
              Replay a span
            </Button>
            <Button onClick={() => setDialog('upload')}>Upload a file</Button>
          </>
        )
      }
    >
      <UploadDialog isOpen={dialog === 'upload'} onClose={close} />
      <ReplayDialog isOpen={dialog === 'replay'} onClose={close} />
    </ListPage>
  )
}
