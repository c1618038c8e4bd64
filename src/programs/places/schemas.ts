import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { sentLine } from '../../platform/form-schema.ts'

const text = sentLine().max(80, 'validation.max_length|80')

export const Point = z.object({ latitude: z.number(), longitude: z.number() })
export type Point = z.infer<typeof Point>

export const suggestLocations = defineSchemas({
  summary: 'Suggests states, cities and ZIP codes that begin with a text',
  query: z.strictObject({ query: text }),
  reply: z.object({ locations: z.array(z.string()) }),
})

export const geocode = defineSchemas({
  summary: 'Returns the coordinates of a city, state or ZIP code',
  query: z.strictObject({ location: text.min(1, 'validation.required') }),
  reply: z.object({ label: z.string(), ...Point.shape }),
  errors: { locationUnknown: 422 },
})

export const validateZip = defineSchemas({
  summary: 'Returns whether a ZIP code is in the United States, its territories or its armed forces',
  query: z.strictObject({ zip: z.string().max(10, 'validation.max_length|10') }),
  reply: z.object({ isValid: z.boolean() }),
})

export const getDefaultUserLocation = defineSchemas({
  summary: 'Returns the location used for visitors who do not give theirs',
  reply: Point,
})

const degrees = (max: number) =>
  z.coerce.number('validation.check').min(-max, 'validation.check').max(max, 'validation.check')

export const listPlaces = defineSchemas({
  summary: 'Lists the larger cities within bounds, as labels of a map',
  query: z.strictObject({ south: degrees(90), west: degrees(180), north: degrees(90), east: degrees(180) }),
  reply: z.object({ places: z.array(z.object({ label: z.string(), ...Point.shape })) }),
})
