import { createServer, type IncomingMessage } from 'node:http'
import { freePort } from './free-port.ts'

interface Slot {
  merchant_id: string
  service_id: string
  start_sec: number
  duration_sec: number
  resources: { party_size: number }
}
interface Seated {
  id: string
  slot: Slot
  table: number
  user: string
  token?: string
  leaseUntil?: number
  canceled?: boolean
}

/**
 * Starts a booking server as in a restaurant's system, with the published interface (version 3) and its own tables and
 * state. `clock` is its time; `failureMode` makes it fail before or after it has executed a request.
 */
export async function startBookingServer(options: { seats: number[]; clock: () => Date }) {
  let number = 0
  const seated: Seated[] = []
  const banned = new Set<string>()
  const failureMode = { before: false, after: false }
  const now = () => options.clock().getTime() / 1000

  const listActive = () =>
    seated.filter(({ canceled, leaseUntil }) => !canceled && (leaseUntil === undefined || leaseUntil > now()))
  function tableFor(slot: Slot, except?: Seated): number | null {
    const end = slot.start_sec + slot.duration_sec
    const busy = new Set(
      listActive()
        .filter(
          (s) => s !== except && s.slot.start_sec < end && s.slot.start_sec + s.slot.duration_sec > slot.start_sec,
        )
        .map(({ table }) => table),
    )
    const fits = (seats: number) => seats >= slot.resources.party_size && seats <= slot.resources.party_size + 3
    const index = options.seats.findIndex((seats, table) => fits(seats) && !busy.has(table))
    return index === -1 ? null : index
  }
  const fail = (cause: string) => ({ booking_failure: { cause } })
  const shown = (s: Seated) => ({
    booking: { booking_id: s.id, slot: s.slot, status: s.canceled ? 'CANCELED' : 'CONFIRMED' },
  })

  // biome-ignore lint/suspicious/noExplicitAny: bodies of the published interface, as a foreign system would read them
  const methods = new Map<string, (body: any) => unknown>([
    [
      'BatchAvailabilityLookup',
      ({ merchant_id, slot_time }) => ({
        slot_time_availability: slot_time.map((time: Slot & { resource_ids: Slot['resources'] }) => ({
          slot_time: time,
          available: tableFor({ ...time, merchant_id, resources: time.resource_ids }) !== null,
        })),
      }),
    ],
    [
      'CreateLease',
      ({ lease }) => {
        if (banned.has(lease.user_reference)) return fail('USER_OVER_QUOTA')
        for (const existing of listActive())
          if (existing.user === lease.user_reference && existing.leaseUntil) existing.canceled = true
        const table = tableFor(lease.slot)
        if (table === null) return fail('SLOT_UNAVAILABLE')
        const leaseUntil = now() + 300
        const made = { id: `lease-${++number}`, slot: lease.slot, table, user: lease.user_reference, leaseUntil }
        seated.push(made)
        return { lease: { lease_id: made.id, lease_expiration_time_sec: leaseUntil } }
      },
    ],
    [
      'CreateBooking',
      ({ slot, lease_ref, user_information, idempotency_token }) => {
        const known = seated.find(({ token }) => token === idempotency_token)
        if (known) return shown(known)
        if (banned.has(user_information.user_id)) return fail('USER_OVER_QUOTA')
        const lease = listActive().find(({ id }) => id === lease_ref?.lease_id)
        const table = lease ? lease.table : tableFor(slot)
        if (table === null) return fail(lease_ref ? 'LEASE_EXPIRED' : 'SLOT_UNAVAILABLE')
        if (lease) lease.canceled = true
        const made: Seated = {
          id: `booking-${++number}`,
          slot,
          table,
          user: user_information.user_id,
          token: idempotency_token,
        }
        seated.push(made)
        return shown(made)
      },
    ],
    [
      'UpdateBooking',
      ({ booking }) => {
        const known = seated.find(({ id }) => id === booking.booking_id)
        if (!known) return fail('CAUSE_UNSPECIFIED')
        if (known.canceled) return fail('BOOKING_ALREADY_CANCELLED')
        if (booking.status === 'CANCELED') known.canceled = true
        else {
          const table = tableFor(booking.slot, known)
          if (table === null) return fail('SLOT_UNAVAILABLE')
          Object.assign(known, { table, slot: booking.slot })
        }
        return shown(known)
      },
    ],
  ])

  const server = createServer(async (request, response) => {
    const method = methods.get(/^\/v3\/(\w+)\/$/.exec(request.url ?? '')?.[1] ?? '')
    const authorized = request.headers.authorization === `Basic ${Buffer.from('dineback:open').toString('base64')}`
    if (!method || !authorized) return response.writeHead(method ? 401 : 404).end()
    const body = JSON.parse(await read(request))
    if (failureMode.before) return response.writeHead(500).end()
    const result = method(body)
    if (failureMode.after) return response.destroy()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
  })
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${port}`,
    failureMode,
    ban: (user: string) => banned.add(user),
    /** Active bookings, without holds. */
    booked: () => listActive().filter(({ leaseUntil }) => leaseUntil === undefined),
    stop: () => new Promise<void>((done) => server.close(() => done())),
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
