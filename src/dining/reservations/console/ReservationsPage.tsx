import { Anchor, Badge } from '@mantine/core'
import { type Column, ListPage } from '../../../console-kit/ListPage.tsx'
import { Link, useAddress } from '../../../console-kit/links.tsx'
import { reservationStates } from '../../../console-kit/reservation-states.ts'
import { dayText } from '../../../console-kit/times.ts'
import { clockText } from '../rules.ts'
import { type ListedReservation, listReservationsOfProgram } from './contract.ts'

/** The reservations of a program. */
export default function ReservationsPage() {
  const address = useAddress()
  const columns: Column<ListedReservation>[] = [
    {
      id: 'when',
      header: 'When (there)',
      cell: ({ id, date, time }) => (
        <Anchor component={Link} size="sm" to={address(`reservations/${id}`)}>
          {dayText(date)}, {clockText(time)}
        </Anchor>
      ),
    },
    { id: 'restaurant', header: 'Restaurant', cell: ({ merchantName }) => merchantName },
    { id: 'member', header: 'Member', cell: ({ memberName }) => memberName },
    { id: 'party', header: 'Party', align: 'right', cell: ({ partySize }) => partySize },
    {
      id: 'state',
      header: 'State',
      cell: ({ state }) => <Badge color={reservationStates[state].color}>{reservationStates[state].label}</Badge>,
    },
    {
      id: 'bonus',
      header: 'Bonus',
      cell: ({ bonus, bonusEarned }) => (bonus === null ? 'None' : `${bonus}${bonusEarned ? ', paid' : ''}`),
    },
    { id: 'confirmation', header: 'Confirmation', isOptional: true, cell: ({ confirmation }) => confirmation },
  ]
  return (
    <ListPage
      title="Reservations"
      call={listReservationsOfProgram}
      columns={columns}
      keyOf={({ id }) => id}
      addressOf={({ id }) => address(`reservations/${id}`)}
      filters={[
        { kind: 'days', from: 'from', to: 'to', label: 'Days' },
        { kind: 'text', name: 'restaurant', label: 'Restaurant' },
        { kind: 'text', name: 'member', label: 'Member’s email, number or id' },
        {
          kind: 'choice',
          name: 'state',
          label: 'State',
          options: [
            { value: 'any', label: 'Any state' },
            ...Object.entries(reservationStates).map(([value, { label }]) => ({ value, label })),
          ],
        },
      ]}
      empty={{ title: 'No reservations yet', text: 'Members book tables on the pages of restaurants.' }}
    />
  )
}
