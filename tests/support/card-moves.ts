import { expect, vi } from 'vitest'
import { asOwner, type TestApp, visit } from './app.ts'
import { linkCard, newMember, type TestMember } from './members.ts'

/** Returns functions for tests of cards that move between programs of an app, and for what members see of it. */
export function cardMovesOf(app: TestApp) {
  const resultOf = (linked: Awaited<ReturnType<typeof linkCard>>) => linked.response.json().cardRegistration[0]
  const codeOf = (linked: Awaited<ReturnType<typeof linkCard>>) => resultOf(linked).error?.code ?? 'linked'
  const getCards = async ({ visitor }: TestMember) =>
    (await visitor.get('/api/Member/Cards')).json<{ lastFour: string }[]>()
  const getMoves = async ({ visitor }: TestMember) => (await visitor.get('/api/Member/Cards/Moves')).json()
  const undo = ({ visitor }: TestMember, id: string) => visitor.change('POST', '/api/Member/Cards/Moves/Undo', { id })
  const getMemberType = async ({ visitor }: TestMember) => (await visitor.get('/api/Member')).json().memberType
  const decide = (code: string, allow: boolean, partner = 'skyharbor') =>
    visit(app, partner).change('POST', '/api/Cards/MoveAnswer', { code, allow })

  /** Creates a card that earns in Skyharbor, and a Gallonaire member who holds the same card. */
  async function twoPrograms() {
    const [sky, gal] = [await newMember(app), await newMember(app, 'gallonaire')]
    const { number } = await linkCard(app, sky)
    return { sky, gal, number }
  }

  const requestMove = (holder: TestMember, number: string, claims = {}) =>
    linkCard(app, holder, number, { claims, form: { moveHere: true } })

  const listEmails = (topic: string, { publicId }: TestMember) =>
    asOwner<{ body_text: string; subject: string }>(
      app,
      'select body_text, subject from emails where topic = $1 and member_id = (select id from members where public_id = $2) order by id',
      [topic, publicId],
    )

  /** Returns the codes of the emails sent to a card's owner. */
  async function getMoveCodes(owner: TestMember, count = 1): Promise<string[]> {
    await vi.waitFor(async () => expect(await listEmails('card.moveRequested', owner)).toHaveLength(count), 20_000)
    const emails = await listEmails('card.moveRequested', owner)
    return emails.map(({ body_text }) => /\/card_move#code=([\w-]+)/.exec(body_text)?.[1] ?? '')
  }

  const requests = (number: string) =>
    asOwner<{ id: string }>(app, 'select id from card_move_requests where card->>$1 = $2', [
      'lastFour',
      number.slice(-4),
    ])

  /** Deletes the account of a member and joins again. */
  async function leaveAndJoin({ visitor }: TestMember): Promise<TestMember> {
    const left = await visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })
    expect(left.status).toBe(200)
    return newMember(app, 'gallonaire')
  }

  /** Moves a card: the member requests it, the owner agrees. */
  async function move(owner: TestMember, requester: TestMember, number: string, partner = 'skyharbor') {
    const requestsBefore = (await listEmails('card.moveRequested', owner)).length
    expect(codeOf(await requestMove(requester, number))).toBe('MOVE_REQUESTED')
    const codes = await getMoveCodes(owner, requestsBefore + 1)
    expect((await decide(codes.at(-1) as string, true, partner)).json()).toEqual({ allowed: true })
    const has = async () =>
      expect((await getCards(requester)).map(({ lastFour }) => lastFour)).toContain(number.slice(-4))
    await vi.waitFor(has, 20_000)
  }

  /** Ages what is stored about moves and requests of a card. */
  const age = (table: 'card_moves' | 'card_move_requests', columns: string[], interval: string, number: string) =>
    asOwner(
      app,
      `update ${table} set ${columns.map((column) => `${column} = ${column} - interval '${interval}'`).join(', ')}
       where home_key = (select home_key from cards where last_four = $1 limit 1)`,
      [number.slice(-4)],
    )

  return {
    resultOf,
    codeOf,
    getCards,
    getMoves,
    undo,
    getMemberType,
    decide,
    twoPrograms,
    requestMove,
    listEmails,
    getMoveCodes,
    requests,
    leaveAndJoin,
    move,
    age,
  }
}
