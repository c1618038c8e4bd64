import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { Point } from './schemas.ts'

export const suggestLocations = defineCall<typeof schemas.suggestLocations>()({
  id: 'suggestLocations',
  method: 'GET',
  path: '/api/Locations/Suggest',
  access: 'anyone',
})

export const geocode = defineCall<typeof schemas.geocode>()({
  id: 'geocode',
  method: 'GET',
  path: '/api/Locations/Geocode',
  access: 'anyone',
})

export const validateZip = defineCall<typeof schemas.validateZip>()({
  id: 'validateZip',
  method: 'GET',
  path: '/api/Members/Validate/Zip',
  access: 'anyone',
})

export const getDefaultUserLocation = defineCall<typeof schemas.getDefaultUserLocation>()({
  id: 'getDefaultUserLocation',
  method: 'GET',
  path: '/api/DefaultUserLocation',
  access: 'anyone',
})

export const listPlaces = defineCall<typeof schemas.listPlaces>()({
  id: 'listPlaces',
  method: 'GET',
  path: '/api/Locations',
  access: 'anyone',
})
