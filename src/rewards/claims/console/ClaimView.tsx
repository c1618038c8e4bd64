import {
  Alert,
  Anchor,
  Badge,
  Blockquote,
  Button,
  Card,
  Grid,
  Group,
  Image,
  List,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { Facts } from '../../../console-kit/Facts.tsx'
import { Day, Deadline, Money, Time } from '../../../console-kit/format.tsx'
import { Link, RestaurantLink, useAddress } from '../../../console-kit/links.tsx'
import { useMay, useProgram } from '../../../console-kit/session.tsx'
import { Loaded } from '../../../console-kit/states.tsx'
import { dayText } from '../../../console-kit/times.ts'
import { toastFailed } from '../../../console-kit/toast.tsx'
import { callUrl } from '../../../platform/call.ts'
import { formatCents, formatCount } from '../../../platform/money.ts'
import { type ClaimDetail, getClaim, getClaimReceipt, listClaimQueue, setClaimOwner } from './contract.ts'
import { DecisionForm } from './DecisionForm.tsx'
import { resolutionNames } from './resolution-names.ts'

/** One claim: what the member says, what the engine knows, and the decision. */
export function ClaimView({ id, onDecided }: { id: string; onDecided: () => void }) {
  const query = useCall(getClaim, { params: { id } })
  return <Loaded query={query}>{(claim) => <Claim claim={claim} onDecided={onDecided} />}</Loaded>
}

function Claim({ claim, onDecided }: { claim: ClaimDetail; onDecided: () => void }) {
  const may = useMay()
  const warning = claim.decision ? null : warningOf(claim)
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={2} size="h3">
          {claim.merchantName}, {formatCents(claim.amountCents)}
        </Title>
        {!claim.decision && may('claims.decide') && <OwnerButton claim={claim} />}
      </Group>
      {warning && (
        <Alert color="orange" title="Look before you credit">
          {warning}
        </Alert>
      )}
      {claim.decision && <DecisionSummary decision={claim.decision} />}
      <Grid>
        <Grid.Col span={{ base: 12, xl: 5 }}>
          <Statement claim={claim} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, xl: 7 }}>
          <Evidence claim={claim} />
        </Grid.Col>
      </Grid>
      {!claim.decision && claim.waits && <Waiting request={claim.waits} />}
      {!claim.decision && !claim.waits && may('claims.decide') && <DecisionForm claim={claim} onDecided={onDecided} />}
    </Stack>
  )
}

/** Returns the warning that the claimed meal may earn already; null when none of the transactions may be it. */
function warningOf({ similarTransactions }: ClaimDetail): string | null {
  const earning = similarTransactions.map((transaction) => transaction.earning)
  if (earning.includes('exact'))
    return 'This meal has earned: a transaction has the same restaurant, day and amount. See the similar transactions.'
  return earning.includes('similar') ? 'This meal has probably earned. See the similar transactions.' : null
}

function OwnerButton({ claim }: { claim: ClaimDetail }) {
  const act = useAct(setClaimOwner, { refreshes: [getClaim, listClaimQueue] })
  const isMine = claim.owner?.isMe === true
  const change = () =>
    act.mutate({ params: { id: claim.id }, body: { owner: isMine ? 'nobody' : 'me' } }, { onError: toastFailed })
  return (
    <Group gap="xs">
      {claim.owner && !isMine && <Text size="sm">{claim.owner.name} works on it</Text>}
      <Button size="xs" variant="default" onClick={change} loading={act.isPending}>
        {isMine ? 'Give it back' : claim.owner ? 'Take it over' : 'Take it'}
      </Button>
    </Group>
  )
}

/** A credit that a second operator decides. */
function Waiting({ request }: { request: NonNullable<ClaimDetail['waits']> }) {
  const address = useAddress()
  const may = useMay()
  return (
    <Alert color="blue" title="This waits for a second person">
      {request.summary}.{' '}
      {may('approvals.decide') && (
        <Anchor component={Link} size="sm" to={address(`approvals/${request.approval}`)}>
          Open the request
        </Anchor>
      )}
    </Alert>
  )
}

function DecisionSummary({ decision }: { decision: NonNullable<ClaimDetail['decision']> }) {
  const { code, reward, words, by, at } = decision
  return (
    <Alert
      color={code === 'credited' ? 'green' : 'gray'}
      title={code === 'credited' ? `Credited ${reward}` : resolutionNames[code]}
    >
      By {by}, <Time at={at} />.{words !== '' && ` “${words}”`}
    </Alert>
  )
}

function Statement({ claim }: { claim: ClaimDetail }) {
  const address = useAddress()
  const program = useProgram()
  const may = useMay()
  const { restaurant } = claim
  const receipt = callUrl(getClaimReceipt, { params: { program: program.code, id: claim.id } })
  return (
    <Stack>
      <Facts
        title="The member says"
        facts={[
          [
            'Member',
            <Anchor key="member" size="sm" href={address(`members/${claim.memberId}`)}>
              {claim.memberName}
            </Anchor>,
          ],
          [
            'Restaurant',
            restaurant ? (
              <RestaurantLink key="restaurant" id={restaurant.id}>
                {claim.merchantName}
              </RestaurantLink>
            ) : (
              `${claim.merchantName} (unknown)`
            ),
          ],
          ['City', restaurant?.city],
          ['Takes part', restaurant && !restaurant.isParticipating && 'No longer'],
          [
            'Its transactions',
            restaurant && may('transactions.read') && (
              <Anchor
                key="transactions"
                component={Link}
                size="sm"
                to={address(`transactions?restaurant=${encodeURIComponent(restaurant.id)}`)}
              >
                All
              </Anchor>
            ),
          ],
          ['Day', <Day key="day" of={claim.dinedOn} />],
          ['Bill', <Money key="bill" cents={claim.amountCents} />],
          ['Card', claim.cardLastFour && `ending in ${claim.cardLastFour}`],
          ['Opened', <Time key="opened" at={claim.openedAt} />],
          ['Answer by', !claim.decision && <Deadline key="deadline" at={claim.respondBy} />],
        ]}
      />
      {claim.note !== '' && <Blockquote p="md">{claim.note}</Blockquote>}
      {claim.saysAnother && <Text size="sm">The member says that this was another meal than the similar ones.</Text>}
      {claim.receiptType?.startsWith('image/') && (
        <Anchor href={receipt} download>
          <Image src={receipt} alt="The receipt" fit="contain" mah={420} radius="md" />
        </Anchor>
      )}
      {claim.receiptType && !claim.receiptType.startsWith('image/') && (
        <Anchor href={receipt} download>
          The receipt (PDF)
        </Anchor>
      )}
    </Stack>
  )
}

function Evidence({ claim }: { claim: ClaimDetail }) {
  const address = useAddress()
  const { similarTransactions, similarClaims, findings, moreUnmatched } = claim
  return (
    <Stack>
      {findings.length > 0 && (
        <Card withBorder>
          <Text fw={600} mb="xs">
            What the member was shown
          </Text>
          <List size="sm">
            {findings.map((finding) => (
              <List.Item key={finding}>{finding}</List.Item>
            ))}
          </List>
        </Card>
      )}
      <Card withBorder>
        <Text fw={600} mb="xs" id="similar">
          Similar transactions
        </Text>
        {similarTransactions.length === 0 ? (
          <Text size="sm">There are none on those days, for this member or unmatched.</Text>
        ) : (
          <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table aria-labelledby="similar">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">When</Table.Th>
                  <Table.Th scope="col">Where</Table.Th>
                  <Table.Th scope="col" ta="right">
                    Bill
                  </Table.Th>
                  <Table.Th scope="col">Card</Table.Th>
                  <Table.Th scope="col">State</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {similarTransactions.map(
                  ({ networkId, dinedAt, merchantName, cents, cardLastFour, status, ...rest }) => (
                    <Table.Tr key={networkId}>
                      <Table.Td>
                        <Time at={dinedAt} />
                      </Table.Td>
                      <Table.Td>
                        {merchantName}{' '}
                        {rest.earning && (
                          <Badge color="orange">{rest.earning === 'exact' ? 'This meal' : 'Probably this meal'}</Badge>
                        )}
                      </Table.Td>
                      <Table.Td ta="right">
                        <Money cents={cents} />
                      </Table.Td>
                      <Table.Td>{cardLastFour}</Table.Td>
                      <Table.Td>{rest.isUnmatched ? 'Card linked to no member' : status}</Table.Td>
                    </Table.Tr>
                  ),
                )}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        {moreUnmatched > 0 && (
          <Text size="sm" mt="xs">
            Of cards that are linked to no member, these are the nearest amounts. {formatCount(moreUnmatched)} more{' '}
            {moreUnmatched === 1 ? 'is' : 'are'} not shown.
          </Text>
        )}
      </Card>
      {similarClaims.length > 0 && (
        <Card withBorder>
          <Text fw={600} mb="xs">
            Other claims for a meal like this
          </Text>
          <List size="sm">
            {similarClaims.map(({ id, dinedOn, amountCents, isDecided }) => (
              <List.Item key={id}>
                <Anchor component={Link} size="sm" to={address(`claims/${id}${isDecided ? '?state=decided' : ''}`)}>
                  {formatCents(amountCents)} on {dayText(dinedOn)}
                </Anchor>
                , {isDecided ? 'decided' : 'open'}
              </List.Item>
            ))}
          </List>
        </Card>
      )}
    </Stack>
  )
}
