import { type TestApp, visit } from './app.ts'
import { send } from './http.ts'
import { insertCardRow, insertTransactionRows, type TransactionSeed } from './member-rows.ts'
import { newMember, type Visitor } from './members.ts'

/** A member whose browser opens pages, with the email address that rows are found by. */
export interface PageMember {
  visitor: Visitor
  email: string
}

/** Joins a direct program and inserts a linked card. */
export async function newMemberWithCard(app: TestApp, partner: string): Promise<PageMember> {
  const { visitor, form } = await newMember(app, partner)
  await insertCard(app, form.email)
  return { visitor, email: form.email }
}

/** Inserts a card that earns already into a member's account. */
export const insertCard = (app: TestApp, email: string) => insertCardRow(app.database.ownerUrl, email)

/** Inserts transactions into a member's activity, in states that would otherwise take weeks. */
export const insertTransactions = (app: TestApp, email: string, transactions: readonly TransactionSeed[]) =>
  insertTransactionRows(app.database.ownerUrl, email, transactions)

/**
 * Signs a customer of the sample bank in, with a card; a new customer becomes a member. Files share the app: each test
 * takes a customer of its own.
 */
export async function signInBankCustomer(app: TestApp, name: string): Promise<PageMember> {
  const email = `${name}@beacon.example`
  const visitor = visit(app, 'beacon')
  const provider = { port: app.port, host: 'id.localhost' }
  const { headers } = await visitor.get('/Login')
  const asked = new URL(String(headers.location))
  const form = await send({ ...provider, path: asked.pathname + asked.search })
  const cookies = { cookie: form.cookie, 'content-type': 'application/x-www-form-urlencoded' }
  const next = new URL(String(form.headers.location), asked)
  const body = new URLSearchParams({ userName: email, password: `dine-with-${name}` }).toString()
  const path = `${next.pathname}/login`
  let response = await send({ ...provider, path, method: 'POST', headers: cookies, body })
  // The provider's redirects end at the program.
  let target = new URL(String(response.headers.location), next)
  while (target.hostname === provider.host) {
    response = await send({ ...provider, path: target.pathname + target.search, headers: { cookie: form.cookie } })
    target = new URL(String(response.headers.location), target)
  }
  await visitor.get(target.pathname + target.search)
  await insertCard(app, email)
  return { visitor, email }
}

/** Returns the first restaurant of a search whose page satisfies a condition. */
export async function findMerchant(
  visitor: Visitor,
  query: string,
  // biome-ignore lint/suspicious/noExplicitAny: a restaurant's page has many shapes, tests look into all of them
  fits: (merchant: any) => boolean = () => true,
  // biome-ignore lint/suspicious/noExplicitAny: see above
): Promise<any> {
  for (let pageNo = 1; pageNo <= 6; pageNo++) {
    const found = (await visitor.get(`/api/v2/Merchants/Search?${query}&pageSize=50&pageNo=${pageNo}`)).json()
    for (const { id } of found.merchants) {
      const merchant = (await visitor.get(`/api/v2/Merchants/${id}`)).json()
      if (fits(merchant)) return merchant
    }
  }
  throw new Error(`no restaurant for ${query}`)
}
