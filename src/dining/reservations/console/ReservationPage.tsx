import { Anchor, Button, Card, List, Table, Text, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionDialog } from '../../../console-kit/ActionDialog.tsx'
import { useAct, useCall } from '../../../console-kit/calls.ts'
import { DetailPage } from '../../../console-kit/DetailPage.tsx'
import { Facts } from '../../../console-kit/Facts.tsx'
import { Time } from '../../../console-kit/format.tsx'
import { Link, RestaurantLink, useAddress } from '../../../console-kit/links.tsx'
import { reservationStates } from '../../../console-kit/reservation-states.ts'
import { useMay } from '../../../console-kit/session.tsx'
import { Loaded } from '../../../console-kit/states.tsx'
import { Timeline } from '../../../console-kit/Timeline.tsx'
import { dayText } from '../../../console-kit/times.ts'
import { toastDone, toastFailed } from '../../../console-kit/toast.tsx'
import { clockText } from '../rules.ts'
import {
  cancelReservationByOperator,
  confirmReservationByOperator,
  getReservation,
  markNoShow,
  type ReservationDetail,
} from './contract.ts'
import { answerName, providerNames, requestNames } from './provider-names.ts'

/** One reservation: its history, its bonus and what the provider answered. */
export default function ReservationPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useCall(getReservation, { params: { id } })
  return <Loaded query={query}>{(reservation) => <Reservation reservation={reservation} />}</Loaded>
}

function Reservation({ reservation }: { reservation: ReservationDetail }) {
  const address = useAddress()
  const { merchantName, date, time, state, history, messages } = reservation
  return (
    <DetailPage
      title={`${merchantName}, ${dayText(date)}, ${clockText(time)}`}
      state={reservationStates[state]}
      trail={[{ label: 'Reservations', to: address('reservations') }]}
      actions={<Actions reservation={reservation} />}
      facts={<ReservationFacts reservation={reservation} />}
    >
      <Card withBorder>
        <Title order={2} size="h4">
          Bonus
        </Title>
        <Text>{reservation.bonusWords}</Text>
        {reservation.meals.length > 0 && (
          <List size="sm">
            {reservation.meals.map(({ id, dinedAt, words }) => (
              <List.Item key={id}>
                <Anchor component={Link} size="sm" to={address(`transactions/${id}`)}>
                  <Time at={dinedAt} />
                </Anchor>
                : {words}
              </List.Item>
            ))}
          </List>
        )}
      </Card>
      <Card withBorder>
        <Title order={2} size="h4" mb="sm">
          What happened
        </Title>
        <Timeline
          events={history.map(({ at, text, by }, index) => ({
            key: `${index}`,
            at,
            title: text,
            ...(by !== null && { by }),
          }))}
        />
      </Card>
      <Card withBorder>
        <Title order={2} size="h4" id="messages">
          What the provider answered
        </Title>
        {messages.length === 0 ? (
          <Text size="sm">Nothing is known: it was booked before answers were kept, or not asked yet.</Text>
        ) : (
          <Table.ScrollContainer minWidth={360} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table aria-labelledby="messages">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">When</Table.Th>
                  <Table.Th scope="col">Asked to</Table.Th>
                  <Table.Th scope="col">Answer</Table.Th>
                  <Table.Th scope="col">Confirmation</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {messages.map(({ at, request, outcome, confirmation }) => (
                  <Table.Tr key={at}>
                    <Table.Td>
                      <Time at={at} />
                    </Table.Td>
                    <Table.Td>{requestNames[request]}</Table.Td>
                    <Table.Td>{answerName(outcome)}</Table.Td>
                    <Table.Td>{confirmation}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Card>
    </DetailPage>
  )
}

function ReservationFacts({ reservation }: { reservation: ReservationDetail }) {
  const address = useAddress()
  const { memberId, memberName, bonus, bonusEarned } = reservation
  return (
    <Facts
      title="Facts"
      facts={[
        [
          'Member',
          <Anchor key="member" size="sm" href={address(`members/${memberId}`)}>
            {memberName}
          </Anchor>,
        ],
        [
          'Restaurant',
          <RestaurantLink key="restaurant" id={reservation.merchantId}>
            {reservation.merchantName}
          </RestaurantLink>,
        ],
        ['City', reservation.city],
        ['Party', `${reservation.partySize}`],
        ['Confirmation', reservation.confirmation],
        ['Provider', providerNames[reservation.provider] ?? reservation.provider],
        ['Bonus', bonus === null ? 'None' : `${bonus}${bonusEarned ? ', paid' : ''}`],
        ['Booked', <Time key="booked" at={reservation.bookedAt} />],
        ['Time agreed on', <Time key="agreed" at={reservation.agreedAt} />],
        ['Id', reservation.id],
      ]}
    />
  )
}

function Actions({ reservation }: { reservation: ReservationDetail }) {
  const mayEdit = useMay()('reservations.edit')
  const [isCanceling, setCanceling] = useState(false)
  const confirm = useAct(confirmReservationByOperator)
  const cancel = useAct(cancelReservationByOperator)
  const noShow = useAct(markNoShow)
  const { id, state, isOver, startsAt, bonus, bonusEarned } = reservation
  if (!mayEdit) return null
  const mark = (isNoShow: boolean) =>
    noShow.mutate(
      { params: { id }, body: { isNoShow } },
      {
        onSuccess: () => toastDone(isNoShow ? 'Marked as a no-show.' : 'The mark was taken back.'),
        onError: toastFailed,
      },
    )
  return (
    <>
      {state === 'booking' && (
        <Button
          loading={confirm.isPending}
          onClick={() =>
            confirm.mutate({ params: { id } }, { onSuccess: () => toastDone('It is confirmed.'), onError: toastFailed })
          }
        >
          Confirm
        </Button>
      )}
      {state === 'booked' && isOver && !bonusEarned && (
        <Button variant="default" loading={noShow.isPending} onClick={() => mark(true)}>
          Mark no-show
        </Button>
      )}
      {state === 'noShow' && (
        <Button variant="default" loading={noShow.isPending} onClick={() => mark(false)}>
          They came after all
        </Button>
      )}
      {state === 'booked' && !isOver && (
        <Button color="red" variant="light" onClick={() => setCanceling(true)}>
          Cancel it
        </Button>
      )}
      <ActionDialog
        title="Cancel this reservation"
        isOpen={isCanceling}
        onClose={() => setCanceling(false)}
        confirmLabel="Cancel the reservation"
        isDangerous
        asksReason
        onConfirm={async (reason) => {
          await cancel.mutateAsync({ params: { id }, body: { startsAt, reason } })
          toastDone('It is canceled.')
        }}
      >
        <Text size="sm">
          The table goes back to the restaurant, and the member gets an email. It cannot be undone.
          {bonus !== null && bonusEarned && ` The bonus of ${bonus} is taken back.`}
        </Text>
      </ActionDialog>
    </>
  )
}
