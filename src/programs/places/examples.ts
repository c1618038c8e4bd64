import { type CallGroup, example } from '../../platform/call-examples.ts'
import { geocode, getDefaultUserLocation, listPlaces, suggestLocations, validateZip } from './contract.ts'
import * as schemas from './schemas.ts'

const newYork = { latitude: 40.7592, longitude: -73.9817 }

export const placesExamples: CallGroup = {
  tag: 'Places',
  place: 30,
  description: 'States, cities and ZIP codes of the United States.',
  examples: [
    example(suggestLocations, schemas.suggestLocations, {
      query: { query: 'new y' },
      reply: { locations: ['New York', 'New York, NY'] },
    }),
    example(geocode, schemas.geocode, {
      query: { location: 'New York, NY' },
      reply: { label: 'New York, NY', ...newYork },
    }),
    example(listPlaces, schemas.listPlaces, {
      query: { south: 40, west: -75, north: 41, east: -73 },
      reply: { places: [{ label: 'New York, NY', ...newYork }] },
    }),
    example(validateZip, schemas.validateZip, { query: { zip: '10001' }, reply: { isValid: true } }),
    example(getDefaultUserLocation, schemas.getDefaultUserLocation, { reply: newYork }),
  ],
}
