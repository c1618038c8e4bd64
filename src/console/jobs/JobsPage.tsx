import { Anchor, Badge, Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Time } from '../../console-kit/format.tsx'
import { type Column, type Filter, ListPage } from '../../console-kit/ListPage.tsx'
import { Link, useAddress } from '../../console-kit/links.tsx'
import { useMay } from '../../console-kit/session.tsx'
import { type ListedJob, listJobs } from './contract.ts'
import { JobActDialog } from './JobActDialog.tsx'
import { QueuesTable } from './QueuesTable.tsx'
import { attemptsText, errorInWords, jobName, jobState, queueOptions } from './words.ts'

const filters: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'state',
    label: 'State',
    options: [
      { value: 'all', label: 'All' },
      { value: 'failed', label: 'Failed' },
      { value: 'waiting', label: 'Waiting' },
      { value: 'retrying', label: 'Retrying' },
      { value: 'running', label: 'Running' },
    ],
  },
  { kind: 'choice', name: 'queue', label: 'Queue', options: [{ value: '', label: 'All queues' }, ...queueOptions] },
  { kind: 'text', name: 'q', label: 'Part of the error' },
]

/** The background jobs of the program: its queues, and every job that waits, runs, or has failed for good. */
export default function JobsPage() {
  const address = useAddress()
  const mayManage = useMay()('jobs.manage')
  const [dialog, setDialog] = useState<{ act: 'retry' | 'discard'; ids: string[]; clear: () => void } | null>(null)
  const columns: Column<ListedJob>[] = [
    {
      id: 'job',
      header: 'Job',
      cell: (job) => (
        <Anchor component={Link} size="sm" to={address(`jobs/${job.id}`)}>
          {jobName(job)}
        </Anchor>
      ),
    },
    {
      id: 'state',
      header: 'State',
      cell: (job) => {
        const { label, color } = jobState(job)
        return <Badge color={color}>{label}</Badge>
      },
    },
    { id: 'at', header: 'Since', cell: ({ at }) => <Time at={at} /> },
    { id: 'attempts', header: 'Attempts', cell: attemptsText },
    { id: 'error', header: 'Last error', cell: ({ error }) => <Text size="sm">{errorInWords(error)}</Text> },
    { id: 'due', header: 'Next attempt', cell: ({ dueAt }) => dueAt && <Time at={dueAt} /> },
    { id: 'queued', header: 'Queued', cell: ({ queuedAt }) => <Time at={queuedAt} />, isOptional: true },
  ]
  return (
    <ListPage
      title="Jobs"
      call={listJobs}
      columns={columns}
      filters={filters}
      keyOf={({ id }) => id}
      addressOf={({ id }) => address(`jobs/${id}`)}
      empty={{ title: 'No job waits', text: 'Everything that the program had to do is done.' }}
      {...(mayManage && {
        bulk: (selected: readonly ListedJob[], clear: () => void) => {
          const ids = selected.filter(({ state }) => state === 'failed').map(({ id }) => id)
          if (ids.length === 0) return <Text size="sm">Only failed jobs can be retried or discarded.</Text>
          return (
            <>
              <Button size="xs" onClick={() => setDialog({ act: 'retry', ids, clear })}>
                Retry {ids.length}
              </Button>
              <Button size="xs" variant="default" color="red" onClick={() => setDialog({ act: 'discard', ids, clear })}>
                Discard {ids.length}
              </Button>
            </>
          )
        },
      })}
    >
      <QueuesTable />
      <JobActDialog
        act={dialog?.act ?? 'retry'}
        ids={dialog?.ids ?? []}
        onClose={() => setDialog(null)}
        onDone={() => dialog?.clear()}
      />
    </ListPage>
  )
}
