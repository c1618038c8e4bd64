import { expect, test, vi } from 'vitest'
import { asOwner } from '../support/app.ts'
import { cardMovesOf } from '../support/card-moves.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { linkCard, newMember } from '../support/members.ts'
import { scaled } from '../support/scale.ts'
import { cardNumber } from '../support/sealed-card.ts'

const app = setUpTestApp()
const { codeOf, getCards, getMemberType, decide, requestMove, getMoveCodes } = cardMovesOf(app)

test('Case 11 two programs that link one card at once end with one program for it', async () => {
  const rounds = scaled({ full: 20, short: 2 })
  for (let round = 0; round < rounds; round++) {
    const pair = [await newMember(app), await newMember(app, 'gallonaire')] as const
    const number = cardNumber()
    const results = await Promise.all(pair.map((holder) => linkCard(app, holder, number)))
    expect(results.map(codeOf).sort()).toEqual(['LINKED_ELSEWHERE', 'linked'])
  }
})

test('two programs that each take the other’s card at once both end with one card', async () => {
  const pairs = []
  const rounds = scaled({ full: 10, short: 2 })
  for (let round = 0; round < rounds; round++) {
    const holders = [await newMember(app), await newMember(app, 'gallonaire')] as const
    const numbers = await Promise.all(holders.map(async (holder) => (await linkCard(app, holder)).number))
    await Promise.all(holders.map((holder, index) => requestMove(holder, numbers[1 - index] as string)))
    pairs.push({ holders, numbers })
  }
  await Promise.all(
    pairs.flatMap(({ holders }) =>
      holders.map(async (holder) => {
        const [code = ''] = await getMoveCodes(holder)
        expect((await decide(code, true, holder.visitor.host.split('.')[0])).status).toBe(200)
      }),
    ),
  )
  for (const { holders, numbers } of pairs) {
    for (const [index, holder] of holders.entries()) {
      const other = numbers[1 - index] as string
      const swapped = async () =>
        expect((await getCards(holder)).map(({ lastFour }) => lastFour)).toEqual([other.slice(-4)])
      await vi.waitFor(swapped, 20_000)
      expect(await getMemberType(holder)).toBe('EnrolledCardMember')
    }
  }
})

test('Case 11 three programs that were all allowed one card at once end with one program for it', async () => {
  const rounds = scaled({ full: 5, short: 2 })
  for (let round = 0; round < rounds; round++) {
    const sky = await newMember(app)
    const { number } = await linkCard(app, sky)
    const requesters = [
      await newMember(app, 'gallonaire'),
      await newMember(app, 'orchard'),
      await newMember(app, 'gallonaire'),
    ]
    await Promise.all(requesters.map((holder) => requestMove(holder, number)))
    const codes = await getMoveCodes(sky, 3)
    await Promise.all(codes.map((code) => decide(code, true)))
    const open = () =>
      asOwner(app, "select 1 from card_move_requests where card->>'lastFour' = $1 and allowed and done_at is null", [
        number.slice(-4),
      ])
    await vi.waitFor(async () => expect(await open()).toEqual([]), 20_000)
    const homes = await Promise.all([sky, ...requesters].map(async (holder) => (await getCards(holder)).length))
    expect([homes[0], homes.reduce((sum, count) => sum + count, 0)]).toEqual([0, 1])
  }
})
