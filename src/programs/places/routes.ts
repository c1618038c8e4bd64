import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../platform/errors.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import { geocode, getDefaultUserLocation, listPlaces, suggestLocations, validateZip } from './contract.ts'
import { defaultPoint } from './rules.ts'
import * as schemas from './schemas.ts'
import { isKnownZip, locate, placesWithin, suggestPlaces } from './service.ts'

/** Maximum number of names on a map; more would hide the rest. */
const maxNames = 30

const maxSuggestions = 8
/** Maximum number of neighborhoods among the suggestions; they follow the cities. */
const maxNeighborhoods = 3

export interface PlacesDeps {
  /** Returns neighborhoods that begin with a text; they come from the restaurants because the gazetteer has none. */
  suggestNeighborhoods: (text: string, limit: number) => string[]
}

export function placesRoutes(app: FastifyInstance, { suggestNeighborhoods }: PlacesDeps): void {
  registerRoute(app, suggestLocations, schemas.suggestLocations, (_ctx, { query }) => {
    const neighborhoods = suggestNeighborhoods(query.query, maxNeighborhoods)
    const places = suggestPlaces(query.query, maxSuggestions - neighborhoods.length)
    return { locations: [...places, ...neighborhoods] }
  })
  registerRoute(app, geocode, schemas.geocode, (_ctx, { query }) => {
    const place = locate(query.location)
    if (!place) throw new ApiError('locationUnknown')
    const { label, latitude, longitude } = place
    return { label, latitude, longitude }
  })
  registerRoute(app, listPlaces, schemas.listPlaces, (_ctx, { query }) => ({ places: placesWithin(query, maxNames) }))
  registerRoute(app, validateZip, schemas.validateZip, (_ctx, { query }) => ({ isValid: isKnownZip(query.zip) }))
  registerRoute(app, getDefaultUserLocation, schemas.getDefaultUserLocation, () => defaultPoint)
}
