import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import { Refusal } from '../../platform/refusal.ts'
import { geocode, getDefaultUserLocation, listPlaces, suggestLocations, validateZip } from './contract.ts'
import { defaultPoint } from './rules.ts'
import { locate, placesWithin, suggestPlaces, zipIsKnown } from './service.ts'

/** Maximum number of names on a map; more would hide the rest. */
const mostNames = 30

const mostSuggestions = 8
/** Maximum number of neighborhoods among the suggestions; they follow the cities. */
const mostNeighborhoods = 3

interface PlacesParts {
  /** Returns neighborhoods that begin with a text; they come from the restaurants because the gazetteer has none. */
  suggestNeighborhoods: (text: string, limit: number) => string[]
}

export function placesRoutes(app: FastifyInstance, { suggestNeighborhoods }: PlacesParts): void {
  serve(app, suggestLocations, (_ctx, { query }) => {
    const neighborhoods = suggestNeighborhoods(query.query, mostNeighborhoods)
    const places = suggestPlaces(query.query, mostSuggestions - neighborhoods.length)
    return { locations: [...places, ...neighborhoods] }
  })
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
