import type { Module } from '../../platform/manifest.ts'
import { reviewsCopy } from './copy.ts'
import { reviewExamples } from './examples.ts'
import { reviewRoutes } from './routes.ts'

interface Needs {
  reviewKey: string
  origin: (partnerId: string) => string
}

export const reviewsModule: Module<Needs> = {
  name: 'rewards/reviews',
  messages: reviewsCopy,
  examples: reviewExamples,
  routes: (app, { reviewKey, origin }) => reviewRoutes(app, { keys: () => [reviewKey], origin }),
  // Author and text are redacted on the restaurants' pages. The row remains because the review decided about an award.
  memberTables: [{ table: 'reviews', deletion: 'retained', merging: 'moved' }],
}
