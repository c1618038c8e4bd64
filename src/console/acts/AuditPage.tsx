import { Alert, Anchor, Badge, Text } from '@mantine/core'
import { actName, outcomeOf } from '../../console-kit/act-words.ts'
import { useCall } from '../../console-kit/calls.ts'
import { Time } from '../../console-kit/format.tsx'
import { type Column, type Filter, ListPage } from '../../console-kit/ListPage.tsx'
import { Link } from '../../console-kit/links.tsx'
import { ActObject, ProgramName } from './ActObject.tsx'
import { useLogAddress } from './address.ts'
import { exportActs, exportAllActs, getActsCheck, type ListedAct, listActs, listAllActs } from './contract.ts'

const filtersOf = (isOfAll: boolean): readonly Filter[] => [
  { kind: 'text', name: 'operator', label: 'Person' },
  { kind: 'text', name: 'object', label: 'About: member, claim, name or id' },
  { kind: 'text', name: 'action', label: 'What was done' },
  { kind: 'days', from: 'from', to: 'to', label: isOfAll ? 'Days (UTC)' : 'Days' },
  {
    kind: 'choice',
    name: 'outcome',
    label: 'Outcome',
    options: [
      { value: 'all', label: 'All' },
      { value: 'done', label: 'Done' },
      { value: 'asked', label: 'Asked for approval' },
      { value: 'refused', label: 'Refused or failed' },
    ],
  },
]

/** What operators did: in the program of the address, or in all of them. */
export default function AuditPage() {
  const { log, isOfAll } = useLogAddress()
  const addressOf = ({ id }: ListedAct) => `${log}/${id}`
  const columns: readonly Column<ListedAct>[] = [
    {
      id: 'at',
      header: 'When',
      cell: (act) => (
        <Anchor component={Link} size="sm" to={addressOf(act)}>
          <Time at={act.at} program={act.program} />
        </Anchor>
      ),
    },
    { id: 'who', header: 'Who', cell: ({ operatorName }) => operatorName },
    { id: 'action', header: 'What', cell: (act) => actName(act.action, act) },
    { id: 'object', header: 'About', cell: (act) => <ActObject act={act} /> },
    { id: 'program', header: 'Program', cell: ({ program }) => <ProgramName code={program} />, isOptional: !isOfAll },
    { id: 'reason', header: 'Reason', cell: ({ reason }) => reason },
    {
      id: 'outcome',
      header: 'Outcome',
      cell: (act) => {
        const { label, color } = outcomeOf(act)
        return act.status < 400 && !act.isAsked ? label : <Badge color={color}>{label}</Badge>
      },
    },
  ]
  return (
    <ListPage
      title={isOfAll ? 'Audit log of all programs' : 'Audit log'}
      call={isOfAll ? listAllActs : listActs}
      csv={isOfAll ? exportAllActs : exportActs}
      columns={columns}
      filters={filtersOf(isOfAll)}
      keyOf={({ id }) => String(id)}
      addressOf={addressOf}
      empty={{ title: 'Nothing yet', text: 'What operators do here is listed from the first act on.' }}
    >
      <CheckResult />
    </ListPage>
  )
}

/** What the hourly check of the chain found. */
function CheckResult() {
  const { data } = useCall(getActsCheck, {})
  if (!data) return null
  const { check } = data
  if (check?.brokenAt != null) {
    return (
      <Alert color="red" title="Entries were changed or removed" role="alert">
        The check of <Time at={check.at} /> found it at entry {check.brokenAt}; the{' '}
        {check.checked.toLocaleString('en-US')} entries before are whole. Keep the database as it is, and compare it
        with a backup.
      </Alert>
    )
  }
  return (
    <Text size="sm" c="dimmed">
      {check ? (
        <>
          No entry was changed or removed: {check.checked.toLocaleString('en-US')} checked, <Time at={check.at} />.
        </>
      ) : (
        'The entries are checked every hour. The first check is still to come.'
      )}
    </Text>
  )
}
