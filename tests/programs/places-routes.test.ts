import { expect, test } from 'vitest'
import { visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()

const get = async (path: string) => {
  const response = await visit(app, 'skyharbor').get(path)
  return { status: response.status, body: response.json() }
}

test('API-015 VAL-004 a ZIP code is valid when it lies in the United States', async () => {
  expect(await get('/api/Members/Validate/Zip?zip=10001')).toEqual({ status: 200, body: { isValid: true } })
  expect(await get('/api/Members/Validate/Zip?zip=00000')).toEqual({ status: 200, body: { isValid: false } })
  expect(await get('/api/Members/Validate/Zip')).toEqual({
    status: 400,
    body: [{ field: 'zip', message: 'This field is required.' }],
  })
})

test('API-025 GEO-006 a visitor without a known position is placed in Midtown Manhattan', async () => {
  const body = { latitude: 40.7577, longitude: -73.9857 }
  expect(await get('/api/DefaultUserLocation')).toEqual({ status: 200, body })
})

test('a location is found or rejected with a message, and suggestions are labels that are found', async () => {
  const chicago = await get('/api/Locations/Geocode?location=chicago')
  expect(chicago.body).toEqual({
    label: 'Chicago, IL',
    latitude: expect.closeTo(41.85, 1),
    longitude: expect.closeTo(-87.65, 1),
  })
  const nowhere = await get('/api/Locations/Geocode?location=asdfghjkl')
  expect([nowhere.status, nowhere.body.title]).toEqual([422, 'Enter city, state or ZIP code.'])
  expect((await get('/api/Locations/Suggest?query=chicago%20h')).body).toEqual({ locations: ['Chicago Heights, IL'] })
})
