import { Anchor, Text } from '@mantine/core'
import { useCall } from '../../console-kit/calls.ts'
import { Deadline } from '../../console-kit/format.tsx'
import { Link, useAddress } from '../../console-kit/links.tsx'
import { RelatedTable } from '../../console-kit/Related.tsx'
import { Loaded } from '../../console-kit/states.tsx'
import { formatCount } from '../../platform/money.ts'
import { listQueues, type QueueState } from './contract.ts'
import { queueName } from './words.ts'

const counts: readonly (readonly ['failed' | 'waiting' | 'retrying' | 'running', string])[] = [
  ['failed', 'Failed'],
  ['waiting', 'Waiting'],
  ['retrying', 'Retrying'],
  ['running', 'Running'],
]

/** The queues that have jobs, with a link to those of each state. */
export function QueuesTable() {
  const query = useCall(listQueues, {})
  const address = useAddress()
  return (
    <Loaded query={query}>
      {(queues) => (
        <RelatedTable
          title="Queues"
          items={queues}
          keyOf={({ queue }) => queue}
          empty="No job waits, runs, or has failed."
          columns={[
            {
              header: 'Queue',
              cell: ({ queue }) => (
                <Anchor component={Link} size="sm" to={address(`jobs?queue=${queue}`)}>
                  {queueName(queue)}
                </Anchor>
              ),
            },
            ...counts.map(([state, header]) => ({
              header,
              align: 'right' as const,
              cell: (each: QueueState) =>
                each[state] === 0 ? (
                  <Text span size="sm" c="dimmed">
                    0
                  </Text>
                ) : (
                  <Anchor
                    component={Link}
                    size="sm"
                    to={address(`jobs?state=${state}&queue=${each.queue}`)}
                    aria-label={`${queueName(each.queue)}, ${header.toLowerCase()}: ${formatCount(each[state])}`}
                  >
                    {formatCount(each[state])}
                  </Anchor>
                ),
            })),
            {
              header: 'The oldest has waited since',
              cell: ({ oldestDueAt }) => oldestDueAt && <Deadline at={oldestDueAt} />,
            },
          ]}
        />
      )}
    </Loaded>
  )
}
