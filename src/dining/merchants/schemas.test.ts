import { expect, test } from 'vitest'
import { fieldErrors } from '../../platform/http/register-route.ts'
import { SearchRequest } from './schemas.ts'

const errorsOf = (request: unknown) => {
  const parsed = SearchRequest.safeParse(request, { reportInput: true })
  return parsed.success ? [] : fieldErrors(parsed.error)
}

test('SRCH-012 SRCH-015 SRCH-017 SRCH-018 a search as query string and as body is the same', () => {
  const body = {
    campaignCode: 'WINTER-10X',
    location: 'Chicago, IL',
    acclaimed: true,
    benefitsFor: ['Sun', 'Sat'],
    features: ['delivery', 'dineIn', 'takeout', 'onlineOrdering'],
    isNew: false,
    mealsServed: ['breakfast', 'brunch', 'lunch', 'dinner', 'lateNight'],
    pageNo: 2,
    priceRange: [1, 4],
    reservations: true,
    restaurantOrCuisine: 'sushi',
    pageSize: 15,
    sortBy: 'rating',
    radius: 5.5,
  }
  const address = {
    ...body,
    acclaimed: 'true',
    isNew: 'false',
    reservations: 'true',
    pageNo: '2',
    pageSize: '15',
    radius: '5.5',
    priceRange: ['1', '4'],
  }
  expect(SearchRequest.parse(body)).toEqual(body)
  expect(SearchRequest.parse(address)).toEqual(body)
})

test('SRCH-012 a list of one item arrives as a single value', () => {
  const one = { benefitsFor: 'Mon', features: 'takeout', mealsServed: 'lunch', priceRange: '3' }
  expect(SearchRequest.parse(one)).toMatchObject({
    benefitsFor: ['Mon'],
    features: ['takeout'],
    mealsServed: ['lunch'],
    priceRange: [3],
  })
})

test('SRCH-021 the defaults are ten results per page and page 1, and more than a hundred per page is rejected', () => {
  expect(SearchRequest.parse({})).toEqual({ pageNo: 1, pageSize: 10 })
  expect(errorsOf({ pageSize: '100' })).toEqual([])
  expect(errorsOf({ pageSize: '101' })).toEqual([{ field: 'pageSize', message: 'validation.check' }])
})

test('SRCH-013 SRCH-014 the literals require both coordinates, and a single coordinate is rejected', () => {
  const missing = (...fields: string[]) => fields.map((field) => ({ field, message: 'validation.required' }))
  expect(errorsOf({ location: 'Current Location' })).toEqual(missing('latitude', 'longitude'))
  expect(errorsOf({ location: 'Current Map View', latitude: '40.7' })).toEqual(missing('longitude'))
  expect(errorsOf({ longitude: '-74' })).toEqual(missing('latitude'))
  for (const location of ['Current Location', 'Current Map View']) {
    const request = { location, latitude: '40.76', longitude: '-73.99' }
    expect(SearchRequest.parse(request)).toMatchObject({ location, latitude: 40.76, longitude: -73.99 })
  }
})

test('SRCH-012 an invalid search is rejected with an error per field', () => {
  const wrong: [string, unknown][] = [
    ['latitude', ''],
    ['latitude', '91'],
    ['latitude', '1e1'],
    ['latitude', 'NaN'],
    ['latitude', ['40', '41']],
    ['longitude', '-180.1'],
    ['longitude', null],
    ['radius', '0'],
    ['radius', '101'],
    ['pageNo', '0'],
    ['pageNo', '1.5'],
    ['pageNo', true],
    ['priceRange', '0'],
    ['priceRange', ['1', '5']],
    ['features', 'valet'],
    ['mealsServed', ['lunch', 'supper']],
    ['benefitsFor', 'Sunday'],
    ['isNew', 'maybe'],
    ['sortBy', 'price'],
    ['features', Array.from({ length: 21 }, () => 'dineIn')],
    ['patners', '1'],
    ['restaurantOrCuisine', 'x'.repeat(81)],
  ]
  for (const [field, value] of wrong) {
    const errors = errorsOf({ latitude: '40', longitude: '-74', [field]: value })
    expect([field, value, errors.length > 0 && errors.every((error) => error.field.split('.')[0] === field)]).toEqual([
      field,
      value,
      true,
    ])
    for (const { message } of errors) expect(message).toMatch(/^validation\.(check|max_length\|80)$/)
  }
})
