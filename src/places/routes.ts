import type { FastifyInstance } from 'fastify'
import { Refusal } from '../kit/refusal.ts'
import { serve } from '../kit/server/serve.ts'
import { geocode, getDefaultUserLocation, suggestLocations, validateZip } from './contract.ts'
import { defaultPoint } from './rules.ts'
import { locate, suggestPlaces, zipIsKnown } from './service.ts'

export function placesRoutes(app: FastifyInstance): void {
  serve(app, suggestLocations, (_ctx, { query }) => ({ locations: suggestPlaces(query.query) }))
  serve(app, geocode, (_ctx, { query }) => {
    const place = locate(query.location)
    if (!place) throw new Refusal('locationUnknown')
    return place
  })
  serve(app, validateZip, (_ctx, { query }) => ({ isValid: zipIsKnown(query.zip) }))
  serve(app, getDefaultUserLocation, () => defaultPoint)
}
