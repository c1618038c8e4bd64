import { once } from 'node:events'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'

// Child process of pages.ts: a bare Fastify that serves a folder, compressed files included. It is a separate process,
// as the app is, so that the load generator takes the same CPU from neither.
const files = Fastify()
await files.register(fastifyStatic, { root: String(process.argv[2]), preCompressed: true })
await files.listen({ port: 0, host: '127.0.0.1' })
process.send?.((files.addresses()[0] as { port: number }).port)
await once(process, 'disconnect')
await files.close()
