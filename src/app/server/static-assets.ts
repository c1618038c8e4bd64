import { resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { sameForAll } from '../../platform/http/caching.ts'

/** Serves the built browser files of the folder `clientFiles` below `/assets/`. Their names contain hashes. */
export async function serveAssets(app: FastifyInstance, clientFiles: string): Promise<void> {
  await app.register(async (scope) => {
    // The plugin takes no config for its routes.
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...sameForAll.config }
    })
    await scope.register(fastifyStatic, {
      root: resolve(clientFiles, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: '1y',
      index: false,
      // The build writes compressed forms of its files.
      preCompressed: true,
    })
  })
}
