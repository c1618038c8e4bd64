import { createECDH, randomBytes } from 'node:crypto'
import { addDays } from '../../src/platform/time.ts'
import type { TestApp } from './app.ts'
import { cardForm, linkCard, newMember, seal, type TestMember } from './members.ts'
import { cardNumber } from './sealed-card.ts'

const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from('receipt')])
const today = () => new Date().toISOString().slice(0, 10)

/** Prepares a call with its token already fetched, so that only the call itself is raced. */
export async function prepared({ visitor }: TestMember, method: string, url: string, body?: unknown) {
  const headers = { 'x-xsrf-token': await visitor.token() }
  return () => visitor.send(method, url, body, headers)
}

export type ActResponse = { status: number; text: string }
export type Act = () => Promise<ActResponse>

const p256dh = () => {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  return curve.getPublicKey().toString('base64url')
}

/** A push service that `PUSH_HOSTS` of the app must name. Nothing listens there. */
export const pushHost = '127.0.0.1:9'

/**
 * The member's own operations in `skyharbor`, by name; each is prepared for a member and then made. The merchant has
 * tables.
 */
export function memberActs(
  app: TestApp,
  merchant: () => { publicId: string },
): Record<string, (member: TestMember) => Promise<Act>> {
  const table = { time: '19:00', partySize: 2 }
  const reservationRequest = (days = 3) => ({
    ...table,
    merchantId: merchant().publicId,
    date: addDays(today(), days),
  })
  return {
    'linking a card': async (member) => {
      const number = cardNumber()
      return prepared(member, 'POST', '/api/Member/Cards', cardForm(number, await seal(app, member, number)))
    },
    'moving a card here': async (member) => {
      const number = cardNumber()
      await linkCard(app, await newMember(app, 'gallonaire'), number)
      const body = cardForm(number, await seal(app, member, number), { moveHere: true })
      return prepared(member, 'POST', '/api/Member/Cards', body)
    },
    'opening a claim': (member) =>
      prepared(member, 'POST', '/api/Member/Claims', {
        date: addDays(today(), -12),
        merchantName: 'Corner Bistro',
        amount: '48.00',
        note: 'My secret note.',
        receipt: { name: 'r.png', type: 'image/png', content: png.toString('base64') },
      }),
    'booking a table': (member) => prepared(member, 'POST', '/api/Member/Reservations', reservationRequest()),
    'changing a reservation': async (member) => {
      const made = await member.visitor.change('POST', '/api/Member/Reservations', reservationRequest())
      const { merchantId: _, ...when } = reservationRequest(4)
      return prepared(member, 'PUT', `/api/Member/Reservations/${made.json().id}`, when)
    },
    'canceling a reservation': async (member) => {
      const made = await member.visitor.change('POST', '/api/Member/Reservations', reservationRequest())
      return prepared(member, 'DELETE', `/api/Member/Reservations/${made.json().id}`)
    },
    'subscribing to push messages': (member) =>
      prepared(member, 'POST', '/api/Member/Push', {
        endpoint: `http://${pushHost}/${randomBytes(8).toString('hex')}`,
        keys: { p256dh: p256dh(), auth: randomBytes(16).toString('base64url') },
        timeZone: 'UTC',
      }),
    'activating a bonus': (member) => prepared(member, 'POST', '/api/Member/Bonus/SKY-NMB'),
    'giving a consent': (member) =>
      prepared(member, 'PUT', '/api/Member/Consents', { channel: 'email', topic: 'offers', granted: false }),
    'changing the profile': (member) =>
      prepared(member, 'PUT', '/api/Member', {
        firstName: 'Grace',
        lastName: 'Hopper',
        address1: '2 Secret Street',
        city: 'New York',
        state: 'NY',
        zipCode: '10001',
      }),
    'choosing notifications': (member) =>
      prepared(member, 'PUT', '/api/Member/Notices', { topic: 'rewardPosted', channel: 'email', wanted: true }),
  }
}
