import { expect, vi } from 'vitest'
import { deriveVaultKeys } from '../../vault/keys.ts'
import { asOwner, joinForm, type TestApp, visit } from './app.ts'
import { cardNumber, sealCard } from './sealed-card.ts'

export type Visitor = ReturnType<typeof visit>
export interface TestMember {
  visitor: Visitor
  publicId: string
}

/** The default password of members in tests. */
export const memberPassword = 'sourdough 4 breakfast'

/** Creates a member of a direct program, without a card. */
export async function newMember(
  app: TestApp,
  partner = 'skyharbor',
  over: Record<string, unknown> = {},
): Promise<TestMember & { form: ReturnType<typeof joinForm> }> {
  const visitor = visit(app, partner)
  const prefix = { skyharbor: 'SKY', orchard: 'ORC' }[partner]
  const partnerNumber = prefix ? `${prefix}${Math.random().toString().slice(2, 10)}` : ''
  const address = { address1: '1 Main Street', city: 'New York', state: 'NY' }
  const form = joinForm({ partnerNumber, ...address, ...over })
  const joined = await visitor.change('POST', '/api/Members/Prospects', form)
  if (joined.status !== 200) throw new Error(`could not join ${partner}: ${joined.text}`)
  return { visitor, form, publicId: joined.json().publicId }
}

/** Sends the sign-in form; `over` overrides fields. */
export const signIn = (visitor: Visitor, userName: string, over: Record<string, unknown> = {}) =>
  visitor.change('POST', '/api/SignIn', { userName, password: memberPassword, ...over })

/** Returns the code of the recovery email to an address, once it is there. */
export const recoveryCodeOf = (app: TestApp, recipient: string): Promise<string> =>
  vi.waitFor(async () => {
    const [email] = await asOwner<{ text: string }>(
      app,
      "select body_text as text from emails where recipient = $1 and topic = 'recovery.code'",
      [recipient],
    )
    const found = /#code=([0-9A-Z-]+)/.exec(email?.text ?? '')?.[1]
    if (!found) throw new Error('no code yet')
    return found
  }, 20_000)

/** Returns what the frame would post for this member, with a new intent. `over` overrides claims. */
export async function seal(
  app: TestApp,
  { visitor, publicId }: TestMember,
  number: string,
  over: Record<string, unknown> = {},
): Promise<string> {
  const intent = await visitor.change('POST', '/api/Member/Cards/Intent', { attempt: 1 })
  expect(intent.status).toBe(200)
  return sealCard(deriveVaultKeys(app.settings.VAULT_SECRET).publicJwk, {
    number,
    expires: '2031-12',
    intent: intent.json().intentId,
    tenant: visitor.host.split('.')[0],
    holder: publicId,
    exp: Math.floor(Date.now() / 1000) + 300,
    ...over,
  })
}

export const cardForm = (number: string, sealed: string, over: Record<string, unknown> = {}) => ({
  creditCards: [{ encryptedCardNumber: sealed, lastFour: number.slice(-4), cardType: 'VISA' }],
  directFileFeedOptIn: true,
  ...over,
})

/** Links a card for a member. */
export async function linkCard(
  app: TestApp,
  holder: TestMember,
  number = cardNumber(),
  { claims = {}, form = {} }: { claims?: Record<string, unknown>; form?: Record<string, unknown> } = {},
) {
  const sealed = await seal(app, holder, number, claims)
  const response = await holder.visitor.change('POST', '/api/Member/Cards', cardForm(number, sealed, form))
  return { response, sealed, number }
}
