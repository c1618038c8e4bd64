import { Alert, Anchor, Button, Group, Stack, Textarea } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { useAct, useCall } from '../calls.ts'
import { Facts } from '../Facts.tsx'
import { Time } from '../format.tsx'
import { Link, useAddress } from '../links.tsx'
import { QueuePage } from '../QueuePage.tsx'
import { useMay } from '../session.tsx'
import { Loaded } from '../states.tsx'
import { toastDone } from '../toast.tsx'
import { useShownProblem } from '../use-shown-problem.ts'
import { type ApprovalDetail, decideApproval, type Effect, getApproval, listApprovals } from './contract.ts'
import { approvalStates } from './state-names.ts'

/** What others have asked for: a second person approves or refuses it. */
export default function ApprovalsPage() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const address = useAddress()
  return (
    <QueuePage
      title="Approvals"
      call={listApprovals}
      choices={[
        {
          name: 'state',
          label: 'State',
          options: [
            { value: 'open', label: 'Open' },
            { value: 'decided', label: 'Decided' },
          ],
        },
        {
          name: 'asker',
          label: 'Asked by',
          options: [
            { value: 'anybody', label: 'Anybody' },
            { value: 'others', label: 'Others' },
            { value: 'me', label: 'Me' },
          ],
        },
      ]}
      keyOf={(approval) => approval.id}
      lineOf={({ summary, memberName, askedBy, askedAt, isMine, state }) => ({
        title: summary,
        detail: (
          <>
            {memberName && (
              <>
                {memberName}
                <br />
              </>
            )}
            Asked by {askedBy}, <Time at={askedAt} />
          </>
        ),
        mark: state === 'open' ? (isMine ? 'Yours' : undefined) : approvalStates[state],
      })}
      addressOf={(key) => address(`approvals/${key}`)}
      address={address('approvals')}
      current={id}
      empty="Nothing waits for a second person"
    >
      {(key, next) => <View key={key} id={key} onDecided={next} />}
    </QueuePage>
  )
}

function View({ id, onDecided }: { id: string; onDecided: () => void }) {
  const query = useCall(getApproval, { params: { id } })
  return <Loaded query={query}>{(approval) => <Request approval={approval} onDecided={onDecided} />}</Loaded>
}

function Request({ approval, onDecided }: { approval: ApprovalDetail; onDecided: () => void }) {
  const address = useAddress()
  const may = useMay()
  const act = useAct(decideApproval, {})
  const { effect, asked } = approval
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const { alert } = useShownProblem(problem)
  const decide = (decision: 'approve' | 'refuse') => {
    setProblem(null)
    act.mutate(
      { params: { id: approval.id }, body: { decision, reason, ...(effect && { expected: effect.before }) } },
      {
        onSuccess() {
          toastDone(decision === 'approve' ? 'Approved and carried out.' : 'Refused.')
          onDecided()
        },
        onError: (error) => setProblem(failureOf(error)),
      },
    )
  }
  return (
    <Stack>
      <Facts
        title={approval.summary}
        facts={[
          ['Asked by', approval.askedBy],
          ['When', <Time key="asked" at={approval.askedAt} />],
          ['Reason', approval.reason],
          [
            'Member',
            approval.memberId &&
              (may('members.read') ? (
                <Anchor key="member" component={Link} size="sm" to={address(`members/${approval.memberId}`)}>
                  {approval.memberName}
                </Anchor>
              ) : (
                approval.memberName
              )),
          ],
          ['Now', effect?.before],
          ['After it', effect?.after],
          ['When asked', asked && !isSame(asked, effect) && `from ${asked.before} to ${asked.after}`],
          ['Decided by', approval.decidedBy],
          ['Decided', approval.decidedAt && <Time key="decided" at={approval.decidedAt} />],
          ['Words', approval.decisionReason],
        ]}
      />
      {approval.state === 'open' && !effect && (
        <Alert color="orange">
          This can no longer be carried out: the account was deleted, or it was decided in another way. Refuse it.
        </Alert>
      )}
      {approval.state === 'open' && approval.isMine && (
        <Alert color="blue">You asked for this. A second person decides it.</Alert>
      )}
      {approval.state === 'open' && !approval.isMine && (
        <>
          <Textarea
            label="Reason"
            description="Optional. For the audit log."
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={reason.length > 200 ? 'The reason may have at most 200 characters.' : undefined}
            autosize
          />
          {problem && (
            <Alert ref={alert} color="red" role="alert" tabIndex={-1}>
              {problem}
            </Alert>
          )}
          <Group>
            <Button onClick={() => decide('approve')} loading={act.isPending} disabled={!effect}>
              Approve
            </Button>
            <Button variant="default" onClick={() => decide('refuse')} loading={act.isPending}>
              Refuse
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}

const isSame = (asked: Effect, now: Effect | null) => asked.before === now?.before && asked.after === now.after
