import Fastify, { type FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineCall, defineSchemas } from '../../src/platform/call.ts'
import { anonymousActor, type Ctx } from '../../src/platform/http/context.ts'
import { registerRoute, SerializedJson } from '../../src/platform/http/register-route.ts'
import { expectDeclared } from '../support/declared-response.ts'

const person = { name: 'Ada', passwordHash: 'secret' }
const schemas = defineSchemas({ summary: 'x', reply: z.object({ name: z.string() }) })
const getPerson = defineCall<typeof schemas>()({
  id: 'getPerson',
  method: 'GET',
  path: '/people/:id',
  access: 'anyone',
})

function createApp(): FastifyInstance {
  const app = Fastify() as unknown as FastifyInstance
  app.decorate('calls', [])
  app.decorate('runCalls', new Map())
  app.decorate('isClosed', () => false)
  app.decorateRequest('ctx', null as unknown as Ctx)
  app.addHook('onRequest', async (request) => {
    request.ctx = { actor: anonymousActor } as Ctx
  })
  return app
}

test('a public response has no field that its schema does not name', async () => {
  const app = createApp()
  registerRoute(app, getPerson, schemas, () => person)
  expect((await app.inject('/people/1')).json()).toEqual({ name: 'Ada' })
})

test('a test that reads a serialized response fails on a field that its schema does not name', () => {
  const response = { method: 'GET', url: '/people/1?full=1', status: 200, contentType: 'application/json' }
  const check = (body: object) => () =>
    expectDeclared([{ ...getPerson, ...schemas }], { ...response, text: new SerializedJson(JSON.stringify(body)).json })
  expect(check({ name: 'Ada' })).not.toThrow()
  expect(check(person)).toThrow('response of getPerson')
  expect(check({})).toThrow()
})
