import type { Module } from '../../platform/manifest.ts'
import { placesExamples } from './examples.ts'
import { type PlacesDeps, placesRoutes } from './routes.ts'

interface Needs {
  model: PlacesDeps
}

export const placesModule: Module<Needs> = {
  name: 'programs/places',
  examples: placesExamples,
  routes: (app, { model }) => placesRoutes(app, model),
}
