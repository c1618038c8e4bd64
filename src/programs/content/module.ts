import type { Module } from '../../platform/manifest.ts'
import { contentCopy } from './copy.ts'
import { contentExamples } from './examples.ts'
import { type ContentRoutesDeps, contentRoutes } from './routes.ts'

interface Needs extends Omit<ContentRoutesDeps, 'cache' | 'ownRoutes'> {
  content: ContentRoutesDeps['cache']
  contentRoutes: ContentRoutesDeps['ownRoutes']
}

export const contentModule: Module<Needs> = {
  name: 'programs/content',
  messages: contentCopy,
  examples: contentExamples,
  routes: (app, { content: cache, contentRoutes: ownRoutes, previewKey, cookies }) =>
    contentRoutes(app, { cache, ownRoutes, previewKey, cookies }),
}
