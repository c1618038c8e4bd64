import { Anchor, Code, Table, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { actName, objectName, outcomeOf } from '../../console-kit/act-words.ts'
import { useCall } from '../../console-kit/calls.ts'
import { DetailPage } from '../../console-kit/DetailPage.tsx'
import { Facts } from '../../console-kit/Facts.tsx'
import { Time } from '../../console-kit/format.tsx'
import { Link } from '../../console-kit/links.tsx'
import { Loaded } from '../../console-kit/states.tsx'
import { ActObject, ProgramName } from './ActObject.tsx'
import { useLogAddress } from './address.ts'
import { type ActDetail, getAct, getAnyAct } from './contract.ts'
import { fieldName, valueText } from './value-words.ts'

/** One entry of the audit log, with what was changed. */
export default function ActPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { isOfAll } = useLogAddress()
  const query = useCall(isOfAll ? getAnyAct : getAct, { params: { id: Number(id) } })
  return <Loaded query={query}>{(act) => <Entry act={act} />}</Loaded>
}

function Entry({ act }: { act: ActDetail }) {
  const { log } = useLogAddress()
  const { id, at, operatorName, action, program, object, reason, address, requestId, memberId, hash } = act
  const filter = (query: Record<string, string>) => `${log}?${new URLSearchParams(query)}`
  return (
    <DetailPage
      title={actName(action, act)}
      state={outcomeOf(act)}
      trail={[{ label: 'Audit log', to: log }]}
      facts={
        <Facts
          facts={[
            ['When', <Time key="at" at={at} program={program} />],
            [
              'Who',
              <Anchor key="who" size="sm" component={Link} to={filter({ operator: operatorName })}>
                {operatorName}
              </Anchor>,
            ],
            ['About', <ActObject key="about" act={act} />],
            [
              'Other acts',
              <Anchor key="object" size="sm" component={Link} to={filter({ object: `${object.type} ${object.id}` })}>
                Everything done to this {objectName(object.type).toLowerCase()}
              </Anchor>,
            ],
            ['Program', <ProgramName key="program" code={program} />],
            [
              'Member',
              memberId && program && object.type !== 'member' && (
                <Anchor key="member" size="sm" href={`/${program}/members/${memberId}`}>
                  Open the member
                </Anchor>
              ),
            ],
            ['Reason', reason],
            ['From', address],
            ['Request', requestId],
            ['Entry', id],
            ['Hash', <Code key="hash">{hash.slice(0, 16)}…</Code>],
          ]}
        />
      }
    >
      <Changes before={act.before} after={act.after} />
    </DetailPage>
  )
}

function Changes({ before, after }: Pick<ActDetail, 'before' | 'after'>) {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  if (fields.length === 0) return <Text c="dimmed">This act changed no fields.</Text>
  return (
    <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label="Changes">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Field</Table.Th>
            <Table.Th scope="col">Before</Table.Th>
            <Table.Th scope="col">After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field) => (
            <Table.Tr key={field}>
              <Table.Th scope="row">{fieldName(field)}</Table.Th>
              {[before[field], after[field]].map((value, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the two columns
                <Table.Td key={at} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {valueText(field, value)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
