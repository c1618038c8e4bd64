import type { FastifyInstance } from 'fastify'
import { Refusal } from '../kit/refusal.ts'
import { serve } from '../kit/server/serve.ts'
import { geocode, getDefaultUserLocation, listPlaces, suggestLocations, validateZip } from './contract.ts'
import { defaultPoint } from './rules.ts'
import { locate, placesWithin, suggestPlaces, zipIsKnown } from './service.ts'

/** A map with more names than this shows nothing else. */
const mostNames = 30

export function placesRoutes(app: FastifyInstance): void {
  serve(app, suggestLocations, (_ctx, { query }) => ({ locations: suggestPlaces(query.query) }))
  serve(app, geocode, (_ctx, { query }) => {
    const place = locate(query.location)
    if (!place) throw new Refusal('locationUnknown')
    const { label, latitude, longitude } = place
    return { label, latitude, longitude }
  })
  serve(app, listPlaces, (_ctx, { query }) => ({ places: placesWithin(query, mostNames) }))
  serve(app, validateZip, (_ctx, { query }) => ({ isValid: zipIsKnown(query.zip) }))
  serve(app, getDefaultUserLocation, () => defaultPoint)
}
