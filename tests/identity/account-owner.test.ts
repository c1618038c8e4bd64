import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { asOwner, joinForm, startTestApp, type TestApp, visit, withoutBotCheck } from '../support/app.ts'
import { createFakeAuthenticator } from '../support/fake-passkey.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'
import { linkCard, signIn, type Visitor } from '../support/members.ts'
import { scaled } from '../support/scale.ts'

/**
 * An owner of a mailbox, or of an identity at a bank, and an attacker who types the same address do anything in any
 * order. Then the owner gets in and links a card, and both go on. Only the owner can read that account afterwards.
 */
let app: TestApp
let provider: Awaited<ReturnType<typeof startIdentityProvider>>
let runs = 0

beforeAll(async () => {
  provider = await startIdentityProvider()
  app = await startTestApp({ PROGRAMS_DIR: provider.programs, SAMPLE_ID: 'false' })
  await withoutBotCheck('gallonaire', app)
})
afterAll(async () => {
  await app?.stop()
  provider?.close()
})
// Nobody is locked out: this is not about guessing.
beforeEach(() => asOwner(app, 'delete from attempts'))

const memberOf = async (visitor: Visitor): Promise<string | null> => {
  const response = await visitor.get('/api/Member')
  return response.status === 200 ? response.json().publicId : null
}

interface EmailRow {
  text: string
}
const emailsTo = (recipient: string, topic: string) =>
  asOwner<EmailRow>(app, 'select body_text as text from emails where recipient = $1 and topic = $2 order by id desc', [
    recipient,
    topic,
  ])
const codeIn = (email: EmailRow | undefined) => /#code=([0-9A-Z-]+)/.exec(email?.text ?? '')?.[1]

/** Someone with browsers, a password of their own, and passkeys. */
abstract class Person {
  readonly browsers: Visitor[] = []
  readonly app: TestApp
  readonly partner: string
  constructor(app: TestApp, partner: string) {
    this.app = app
    this.partner = partner
  }
  get browser(): Visitor | undefined {
    return this.browsers.at(-1)
  }
  /** Does something in a new browser, which is kept when someone is signed in there then. */
  async inNewBrowser(act: (browser: Visitor) => Promise<unknown>): Promise<string | null> {
    const browser = visit(this.app, this.partner)
    await act(browser)
    const publicId = await memberOf(browser)
    if (publicId !== null) this.browsers.push(browser)
    return publicId
  }
  /** Links a card where this person is signed in. Returns whether it is linked. */
  async linkCard(): Promise<boolean> {
    const publicId = this.browser && (await memberOf(this.browser))
    if (!this.browser || !publicId) return false
    return (await linkCard(this.app, { visitor: this.browser, publicId })).response.status === 200
  }
  async signOutElsewhere(): Promise<void> {
    await this.browser?.change('DELETE', '/api/Member/Sessions')
  }
  /** Returns the accounts that this person can read by any means. */
  abstract readable(): Promise<Set<string>>
  protected async inBrowsers(): Promise<string[]> {
    const found: string[] = []
    for (const browser of this.browsers) {
      const publicId = await memberOf(browser)
      if (publicId !== null) found.push(publicId)
    }
    return found
  }
}

/** A person in a program with passwords. */
class Diner extends Person {
  readonly password: string
  readonly passkeys: { device: ReturnType<typeof createFakeAuthenticator>; uses: number }[] = []
  constructor(app: TestApp, password: string) {
    super(app, 'gallonaire')
    this.password = password
  }
  join(email: string) {
    const { password } = this
    const address = { address1: '1 Main Street', city: 'New York', state: 'NY' }
    return this.inNewBrowser((browser) =>
      browser.change('POST', '/api/Members/Prospects', {
        ...joinForm({ email, password, passwordConfirm: password, ...address }),
      }),
    )
  }
  async signIn(email: string) {
    await asOwner(this.app, 'delete from attempts')
    return this.inNewBrowser((browser) => signIn(browser, email, { password: this.password }))
  }
  async addPasskey(): Promise<void> {
    const { browser } = this
    if (!browser) return
    const options = await browser.change('POST', '/api/Member/Passkeys/Options', {})
    if (options.status !== 200) return
    const device = createFakeAuthenticator(this.app.origin(this.partner))
    const credential = JSON.parse(device.create(options.json().challenge))
    const added = await browser.change('POST', '/api/Member/Passkeys', { name: 'Laptop', credential })
    if (added.status === 200) this.passkeys.push({ device, uses: 0 })
  }
  async signInByPasskey(passkey = this.passkeys.at(-1)): Promise<string | null> {
    if (!passkey) return null
    return this.inNewBrowser(async (browser) => {
      const { challenge } = (await browser.change('POST', '/api/SignIn/Passkey/Options', {})).json()
      const credential = JSON.parse(passkey.device.get(challenge, ++passkey.uses))
      await browser.change('POST', '/api/SignIn/Passkey', { credential, rememberMe: true })
    })
  }
  requestCode(email: string) {
    return visit(this.app, this.partner).change('POST', '/api/Members/Recover', { userName: email })
  }
  /** Recovers the account by a code in a mailbox that this person reads. */
  async recover(mailbox: string): Promise<string | null> {
    const before = (await emailsTo(mailbox, 'recovery.code')).length
    await this.requestCode(mailbox)
    const [known] = await asOwner(this.app, 'select 1 from members where lower(email) = $1', [mailbox])
    if (!known) return null
    const code = await vi.waitFor(async () => {
      const emails = await emailsTo(mailbox, 'recovery.code')
      if (emails.length === before) throw new Error('no email yet')
      return codeIn(emails[0])
    }, 20_000)
    const browser = visit(this.app, this.partner)
    const confirmed = await browser.change('POST', '/api/Members/Recover/Confirm', { code })
    const { resetToken } = confirmed.json()
    const { password } = this
    const update = { resetToken, password, passwordConfirm: password }
    expect((await browser.change('POST', '/api/Members/Recover/Update', update)).status).toBe(200)
    return this.signIn(mailbox)
  }
  async verify(mailbox: string): Promise<void> {
    const code = codeIn((await emailsTo(mailbox, 'verification.code'))[0])
    if (code) await this.browser?.change('POST', '/api/Member/EmailVerification/Confirm', { code })
  }
  /** Support asks for another address, and this person enters one. */
  async changeAddress(from: string, to: string): Promise<void> {
    if ((await this.join(from)) === null) return
    await asOwner(this.app, 'update members set must_fix_credentials = true where lower(email) = $1', [from])
    await this.browser?.change('POST', '/api/Member/FixCredentials', { email: to, emailConfirm: to })
  }
  async readable(): Promise<Set<string>> {
    const found = await this.inBrowsers()
    for (const passkey of this.passkeys) found.push((await this.signInByPasskey(passkey)) ?? '')
    return new Set(found)
  }
}

const dinerActs = [
  'attacker joins',
  'attacker signs in',
  'attacker adds a passkey',
  'attacker uses a passkey',
  'attacker requests a code',
  'attacker changes the address',
  'attacker links a card',
  'attacker signs out elsewhere',
  'owner joins',
  'owner signs in',
  'owner adds a passkey',
  'owner uses a passkey',
  'owner recovers',
  'owner verifies',
  'owner signs out elsewhere',
] as const
type DinerAct = (typeof dinerActs)[number]

// A mailbox gets five codes in half an hour.
const maxCodes = 4

async function playDiners(before: readonly DinerAct[], after: readonly DinerAct[]): Promise<void> {
  const run = ++runs
  const mailbox = `owner-${run}@example.com`
  const owner = new Diner(app, `seven ripe figs ${run}`)
  const attacker = new Diner(app, `eleven old keys ${run}`)
  let codes = 0
  const acts: Record<DinerAct, () => Promise<unknown> | undefined> = {
    'attacker joins': () => attacker.join(mailbox),
    'attacker signs in': () => attacker.signIn(mailbox),
    'attacker adds a passkey': () => attacker.addPasskey(),
    'attacker uses a passkey': () => attacker.signInByPasskey(),
    'attacker requests a code': () => (++codes < maxCodes ? attacker.requestCode(mailbox) : undefined),
    'attacker changes the address': () => attacker.changeAddress(`attacker-${run}@example.com`, mailbox),
    'attacker links a card': () => attacker.linkCard(),
    'attacker signs out elsewhere': () => attacker.signOutElsewhere(),
    'owner joins': () => owner.join(mailbox),
    'owner signs in': () => owner.signIn(mailbox),
    'owner adds a passkey': () => owner.addPasskey(),
    'owner uses a passkey': () => owner.signInByPasskey(),
    'owner recovers': () => (++codes < maxCodes ? owner.recover(mailbox) : undefined),
    'owner verifies': () => owner.verify(mailbox),
    'owner signs out elsewhere': () => owner.signOutElsewhere(),
  }
  for (const act of before) await acts[act]()
  const held = (await owner.signIn(mailbox)) ?? (await owner.join(mailbox)) ?? (await owner.recover(mailbox))
  expect(held, 'the owner of the mailbox gets in').not.toBeNull()
  expect(await owner.linkCard()).toBe(true)
  for (const act of after) await acts[act]()
  const readable = await attacker.readable()
  readable.add((await attacker.signIn(mailbox)) ?? '')
  expect([...readable]).not.toContain(held)
  // Counterpart: the owner reads it.
  expect(await owner.signIn(mailbox)).toBe(held)
}

test('Case 85 whatever somebody did with the address of another person before, only the owner of the mailbox can read the account that the owner uses', async () => {
  const acts = fc.array(fc.constantFrom(...dinerActs), { maxLength: 7 })
  await fc.assert(
    fc.asyncProperty(acts, acts, (before, after) => playDiners(before, after)),
    {
      numRuns: scaled({ full: 300, short: 10 }),
      endOnFailure: true,
      examples: [
        [['attacker joins', 'attacker adds a passkey'], []],
        [['attacker changes the address', 'attacker adds a passkey'], ['owner signs out elsewhere']],
        [
          ['attacker joins', 'owner verifies'],
          ['attacker signs in', 'owner recovers'],
        ],
      ],
    },
  )
})

const bankActs = [
  'attacker signs in unverified',
  'attacker signs in verified elsewhere',
  'attacker joins',
  'attacker links a card',
  'attacker signs out elsewhere',
  'owner signs in',
  'owner signs in unverified',
  'owner signs in with another identity',
  'owner joins',
  'owner signs out elsewhere',
] as const
type BankAct = (typeof bankActs)[number]

/** A customer of the bank. */
class Customer extends Person {
  readonly subjects: readonly string[]
  readonly email: string
  constructor(app: TestApp, email: string, subjects: readonly string[]) {
    super(app, 'beacon')
    this.email = email
    this.subjects = subjects
  }
  signIn({
    sub = this.subjects[0],
    verified,
    email = this.email,
  }: {
    sub?: string
    verified: boolean
    email?: string
  }) {
    return this.inNewBrowser((browser) => provider.signIn(browser, { sub, email, email_verified: verified }))
  }
  async join(): Promise<void> {
    await this.browser?.change('POST', '/api/Members/Prospects', { ...joinForm({ zipCode: '10001' }) })
  }
  async readable(): Promise<Set<string>> {
    const found = await this.inBrowsers()
    for (const sub of this.subjects) found.push((await this.signIn({ sub, verified: false })) ?? '')
    return new Set(found)
  }
}

async function playCustomers(before: readonly BankAct[], after: readonly BankAct[]): Promise<void> {
  const run = ++runs
  const email = `customer-${run}@example.com`
  const owner = new Customer(app, email, [`owner-${run}`, `owner-again-${run}`])
  const attacker = new Customer(app, email, [`attacker-${run}`])
  const acts: Record<BankAct, () => Promise<unknown>> = {
    'attacker signs in unverified': () => attacker.signIn({ verified: false }),
    'attacker signs in verified elsewhere': () =>
      attacker.signIn({ verified: true, email: `other-${run}@example.com` }),
    'attacker joins': () => attacker.join(),
    'attacker links a card': () => attacker.linkCard(),
    'attacker signs out elsewhere': () => attacker.signOutElsewhere(),
    'owner signs in': () => owner.signIn({ verified: true }),
    'owner signs in unverified': () => owner.signIn({ verified: false }),
    'owner signs in with another identity': () => owner.signIn({ verified: true, sub: `owner-again-${run}` }),
    'owner joins': () => owner.join(),
    'owner signs out elsewhere': () => owner.signOutElsewhere(),
  }
  for (const act of before) await acts[act]()
  const held = await owner.signIn({ verified: true })
  expect(held, 'the customer gets in').not.toBeNull()
  expect(await owner.linkCard()).toBe(true)
  for (const act of after) await acts[act]()
  expect([...(await attacker.readable())]).not.toContain(held)
  // Counterpart: the customer reads it.
  expect(await owner.signIn({ verified: true })).toBe(held)
}

test('Case 86 whatever address the bank states of another customer, only the customer can read the account that the customer uses', async () => {
  const acts = fc.array(fc.constantFrom(...bankActs), { maxLength: 7 })
  await fc.assert(
    fc.asyncProperty(acts, acts, (before, after) => playCustomers(before, after)),
    {
      numRuns: scaled({ full: 400, short: 20 }),
      endOnFailure: true,
      examples: [
        [['attacker signs in unverified', 'attacker joins'], []],
        [['attacker signs in unverified'], ['owner signs in with another identity']],
      ],
    },
  )
})
