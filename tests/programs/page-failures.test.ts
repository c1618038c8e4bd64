import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { asOwner, startTestApp, type TestApp, visit } from '../support/app.ts'
import { webForTests } from '../support/built-web.ts'
import { addMerchants, merchantRecord, untilFound } from '../support/merchants.ts'

vi.mock('leaflet', () => ({ default: {} }))

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ STAGING_TOOLS: 'false' }, await webForTests())
  await addMerchants(app.database.pools.shared, merchantRecord())
  await untilFound(app, 'kumo')
})
afterAll(() => app?.stop())

const referenceIn = (page: string) => /Reference code: ([0-9a-f-]{36})/.exec(page)?.[1]

test('ERR-016 ROUTE-017 a page that fails on the server is the error page with the code of the failed request', async () => {
  const [row] = await asOwner<{ public_id: string }>(app, "select public_id from merchants where name = 'Kumo'")
  const address = `/merchants/${row?.public_id}`
  const getPage = (path: string) => visit(app, 'skyharbor').get(path, { accept: 'text/html' })
  expect((await getPage(address)).text).toContain('Kumo')
  await asOwner(app, 'alter table merchants rename column description to description_away')
  // A different address, because the page of the first one is cached.
  const failed = await getPage(`${address}?again`).finally(() =>
    asOwner(app, 'alter table merchants rename column description_away to description'),
  )
  expect([failed.status, failed.headers['content-type']]).toEqual([500, 'text/html; charset=utf-8'])
  const reference = referenceIn(failed.text)
  expect(reference).toBeDefined()
  // The browser, which renders the page again, has the same code.
  expect(failed.text).toContain(`"failure":{"status":500,"reference":"${reference}"}`)
  const cold = await getPage('/error')
  expect(referenceIn(cold.text)).toBe(cold.headers['x-request-id'])
  expect(referenceIn((await getPage('/error')).text)).not.toBe(referenceIn(cold.text))
})
