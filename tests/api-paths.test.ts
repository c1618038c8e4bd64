import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from './support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

test('the public calls are these: one that goes or changes is seen here', () => {
  const calls = app.partnerApp.calls.map(({ method, path, access }) => `${method} ${path} (${access})`).sort()
  expect(calls).toMatchInlineSnapshot(`
    [
      "DELETE /api/Member/Cards (member)",
      "DELETE /api/Member/Reservations/:reservationId (member)",
      "GET /api/CSRF (anyone)",
      "GET /api/DefaultUserLocation (anyone)",
      "GET /api/Locations (anyone)",
      "GET /api/Locations/Geocode (anyone)",
      "GET /api/Locations/Suggest (anyone)",
      "GET /api/Member (member)",
      "GET /api/Member/:publicId (anyone)",
      "GET /api/Member/Activity/Stream (member)",
      "GET /api/Member/Cards (member)",
      "GET /api/Member/DineSummary (member)",
      "GET /api/Member/FlexOffers (member)",
      "GET /api/Member/Reservations (member)",
      "GET /api/Member/Reservations/:reservationId/Calendar (member)",
      "GET /api/Member/StatementCreditBalance (member)",
      "GET /api/Member/Transactions (member)",
      "GET /api/Member/TransactionsStatementCredits (member)",
      "GET /api/Members/Validate/Email (anyone)",
      "GET /api/Members/Validate/Zip (anyone)",
      "GET /api/PartnerConfig (anyone)",
      "GET /api/ProgramVersion (anyone)",
      "GET /api/SignOut (anyone)",
      "GET /api/cms/:contentType/:contentName/ (anyone)",
      "GET /api/feature-flags (anyone)",
      "GET /api/merchants/:merchantId/flex-offers/members/:publicId (member)",
      "GET /api/staging/cards (anyone)",
      "GET /api/staging/outbox (anyone)",
      "GET /api/v2/Merchants/:merchantId (anyone)",
      "GET /api/v2/Merchants/:merchantId/Earn (anyone)",
      "GET /api/v2/Merchants/:merchantId/Reservations/Availability (anyone)",
      "GET /api/v2/Merchants/:merchantId/Reviews (anyone)",
      "GET /api/v2/Merchants/Facets (anyone)",
      "GET /api/v2/Merchants/Pins (anyone)",
      "GET /api/v2/Merchants/Search (anyone)",
      "GET /api/v2/Merchants/Suggest (anyone)",
      "GET /beacon/cms/:contentType/:contentName/ (anyone)",
      "POST /api/Impressions (anyone)",
      "POST /api/Member/Activate (anyone)",
      "POST /api/Member/Cards (member)",
      "POST /api/Member/Cards/Intent (member)",
      "POST /api/Member/Reservations (member)",
      "POST /api/Member/Reservations/Holds (member)",
      "POST /api/Members/Prospects (anyone)",
      "POST /api/Members/Prospects/Email (anyone)",
      "POST /api/SignIn (anyone)",
      "POST /api/feed/batch (machine)",
      "POST /api/feed/events (machine)",
      "POST /api/staging/dine (anyone)",
      "POST /api/v2/Merchants/Search (anyone)",
      "PUT /api/Member/Reservations/:reservationId (member)",
      "PUT /api/staging/barred-diners (anyone)",
      "PUT /api/staging/flags (anyone)",
    ]
  `)
})
