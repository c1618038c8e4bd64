import { Anchor, Button, Card, Code, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../../console-kit/calls.ts'
import { DetailPage } from '../../console-kit/DetailPage.tsx'
import { Facts } from '../../console-kit/Facts.tsx'
import { Time } from '../../console-kit/format.tsx'
import { Link, useAddress, useOpen } from '../../console-kit/links.tsx'
import type { Permission } from '../../console-kit/permissions.ts'
import { useMay } from '../../console-kit/session.tsx'
import { Loaded } from '../../console-kit/states.tsx'
import { Timeline, type TimelineEvent } from '../../console-kit/Timeline.tsx'
import { getJob, type JobDetail } from './contract.ts'
import { JobActDialog } from './JobActDialog.tsx'
import { attemptsText, errorInWords, jobName, jobState } from './words.ts'

interface Place {
  label: string
  permission: Permission
  path: (id: string) => string
}

/** Where the console shows what a job is about. */
const places: Readonly<Record<NonNullable<JobDetail['about']>['kind'], Place>> = {
  email: { label: 'The email', permission: 'emails.read', path: (id) => `emails/${id}` },
  member: { label: 'The member', permission: 'members.read', path: (id) => `members/${id}` },
  payout: { label: 'The statement credit', permission: 'payouts.read', path: (id) => `payouts/${id}` },
  reservation: { label: 'The reservation', permission: 'reservations.read', path: (id) => `reservations/${id}` },
  claim: { label: 'The claim', permission: 'claims.read', path: (id) => `claims/${id}` },
  feedFile: { label: 'The feed file', permission: 'feed.read', path: (id) => `feed-files/${id}` },
}

/** One background job: its attempts, its last error, and what it is about. */
export default function JobPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useCall(getJob, { params: { id } })
  return <Loaded query={query}>{(job) => <Job job={job} />}</Loaded>
}

function Job({ job }: { job: JobDetail }) {
  const address = useAddress()
  const open = useOpen()
  const may = useMay()
  const [act, setAct] = useState<'retry' | 'discard' | null>(null)
  const { id, state, error, row, dueAt } = job
  const canChange = state === 'failed' && may('jobs.manage')
  return (
    <DetailPage
      title={jobName(job)}
      state={jobState(job)}
      trail={[{ label: 'Jobs', to: address('jobs') }]}
      actions={
        canChange && (
          <>
            <Button variant="default" onClick={() => setAct('discard')}>
              Discard
            </Button>
            <Button onClick={() => setAct('retry')}>Retry</Button>
          </>
        )
      }
      facts={
        <Facts
          title="Facts"
          facts={[
            ['About', <About key="about" job={job} />],
            ['Attempts', attemptsText(job)],
            ['Queued', <Time key="queued" at={job.queuedAt} />],
            ['Begun last', job.startedAt && <Time key="started" at={job.startedAt} />],
            ['Next attempt', dueAt && <Time key="due" at={dueAt} />],
            ['Row', row],
            ['Job', id],
          ]}
        />
      }
    >
      {error !== '' && (
        <Card withBorder component="section" aria-label="Last error">
          <Text fw={600}>Last error</Text>
          <Text>{errorInWords(error)}</Text>
          <Text size="sm" c="dimmed" mt="xs">
            As it was reported: <Code>{error}</Code>
          </Text>
        </Card>
      )}
      <Timeline events={eventsOf(job)} />
      <JobActDialog
        act={act ?? 'retry'}
        ids={act === null ? [] : [id]}
        onClose={() => setAct(null)}
        onDone={() => open(address('jobs?state=failed'))}
      />
    </DetailPage>
  )
}

function About({ job: { about } }: { job: JobDetail }) {
  const address = useAddress()
  const may = useMay()
  if (about === null) return null
  const { label, permission, path } = places[about.kind]
  if (!may(permission)) return null
  return (
    <Anchor size="sm" component={Link} to={address(path(about.id))}>
      {label}
    </Anchor>
  )
}

function eventsOf({ state, at, queuedAt, startedAt, attempts }: JobDetail): TimelineEvent[] {
  const events: TimelineEvent[] = [{ key: 'queued', at: queuedAt, title: 'Queued' }]
  if (startedAt !== null) events.push({ key: 'started', at: startedAt, title: `Attempt ${attempts} began` })
  if (state === 'failed')
    events.push({ key: 'failed', at, title: `Failed for good after attempt ${attempts}`, color: 'red' })
  return events
}
