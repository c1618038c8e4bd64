import { Anchor, Badge, Stack, Text } from '@mantine/core'
import { useCall } from '../../console-kit/calls.ts'
import { Deadline, Time } from '../../console-kit/format.tsx'
import { Link, useAddress } from '../../console-kit/links.tsx'
import { Page } from '../../console-kit/Page.tsx'
import { RelatedTable } from '../../console-kit/Related.tsx'
import { Loaded } from '../../console-kit/states.tsx'
import { formatCount } from '../../platform/money.ts'
import { getOutsideSystems, type OutsideSystem } from './contract.ts'
import { systemState, systems } from './words.ts'

/** How the systems do that the program depends on: what succeeded and failed last, and what waits for them. */
export default function HealthPage() {
  const query = useCall(getOutsideSystems, {})
  return (
    <Page title="Outside systems">
      <Loaded query={query}>
        {(all) => (
          <Stack>
            <RelatedTable
              title="What the program depends on"
              items={all}
              keyOf={({ kind }) => kind}
              empty=""
              columns={[
                { header: 'System', cell: (system) => <Named system={system} /> },
                { header: 'State', cell: (system) => <State system={system} /> },
                { header: 'Last success', cell: (system) => <LastSuccess system={system} /> },
                {
                  header: 'Last open failure',
                  cell: ({ lastFailureAt }) => (lastFailureAt ? <Time at={lastFailureAt} /> : 'None'),
                },
                {
                  header: 'Waiting',
                  align: 'right',
                  cell: (system) => <Count system={system} count={system.waiting} of="waiting" />,
                },
                {
                  header: 'Failed',
                  align: 'right',
                  cell: (system) => <Count system={system} count={system.failed} of="failed" />,
                },
                {
                  header: 'The oldest has waited since',
                  cell: ({ oldestDueAt }) => oldestDueAt && <Deadline at={oldestDueAt} />,
                },
              ]}
            />
            <Text size="sm" c="dimmed">
              Times are those of what the program asked these systems to do. A failure is open until its job is retried
              or discarded. Sign-in at an identity provider, the map and the card vault leave no record here.
            </Text>
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

function Named({ system: { kind, isSetUp } }: { system: OutsideSystem }) {
  const { name, text, without } = systems[kind]
  return (
    <>
      <Text size="sm">{name}</Text>
      <Text size="sm" c="dimmed">
        {isSetUp ? text : without}
      </Text>
    </>
  )
}

function State({ system }: { system: OutsideSystem }) {
  const { label, color } = systemState(system, Date.now())
  return <Badge color={color}>{label}</Badge>
}

function LastSuccess({ system: { lastSuccessAt, isOfLastHour } }: { system: OutsideSystem }) {
  if (lastSuccessAt) return <Time at={lastSuccessAt} />
  return isOfLastHour ? 'None in the last hour' : 'None yet'
}

interface CountProps {
  system: OutsideSystem
  count: number
  of: 'waiting' | 'failed'
}

/** A number with a link to the list behind it. */
function Count({ system: { kind }, count, of }: CountProps) {
  const address = useAddress()
  const { name, lists } = systems[kind]
  const to = address(lists[of])
  const label = `${name}, ${of}: ${formatCount(count)}`
  if (count === 0) return '0'
  return lists.isForms ? (
    <Anchor size="sm" href={to} aria-label={label}>
      {formatCount(count)}
    </Anchor>
  ) : (
    <Anchor size="sm" component={Link} to={to} aria-label={label}>
      {formatCount(count)}
    </Anchor>
  )
}
