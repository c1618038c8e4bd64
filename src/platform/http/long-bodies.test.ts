import { expect, onTestFinished, test } from 'vitest'
import { createHttpApp } from './create-http-app.ts'
import { parseForms } from './form-body.ts'

/** Starts an app whose clients wait for their turn until `begin` is called. */
async function start() {
  let begin = () => {}
  const turn = new Promise<void>((resolve) => {
    begin = resolve
  })
  const waiting: string[] = []
  const app = await createHttpApp({
    host: 'test',
    logger: null,
    scheme: 'http',
    bodyLimit: 1024 * 1024,
    referrerPolicy: 'same-origin',
    framing: 'denied',
    waitForTurn({ url }) {
      waiting.push(url)
      return turn
    },
    sendError: (reply, { error }) => reply.send({ code: error.code }),
  })
  parseForms(app)
  const handled: string[] = []
  app.post('/*', async ({ url, body }) => {
    handled.push(url)
    return { size: body instanceof URLSearchParams ? body.size : Object.keys(body as object).length }
  })
  onTestFinished(() => app.close())
  const post = (url: string, type: string, payload: string) =>
    app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })
  return { begin, waiting, handled, post }
}

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const long = 'a'.repeat(20_000)

test('a long body is parsed in a turn of its client, and a short one at once', async () => {
  const { begin, waiting, handled, post } = await start()
  const delayed = [post('/json', json, JSON.stringify({ long })), post('/form', form, `long=${long}`)]
  expect((await post('/short-json', json, '{"a":1,"b":2}')).json()).toEqual({ size: 2 })
  expect((await post('/short-form', form, 'a=1&b=2&b=3')).json()).toEqual({ size: 3 })
  await expect.poll(() => waiting.toSorted()).toEqual(['/form', '/json'])
  expect(handled).toEqual(['/short-json', '/short-form'])
  begin()
  expect((await Promise.all(delayed)).map((response) => response.json())).toEqual([{ size: 1 }, { size: 1 }])
})

test('a body that cannot be parsed is rejected, however long it is', async () => {
  const { begin, post } = await start()
  begin()
  for (const payload of ['', '{', `{"long":"${long}"`, `{"__proto__":{},"long":"${long}"}`])
    expect([payload.slice(0, 20), (await post('/json', json, payload)).statusCode]).toEqual([payload.slice(0, 20), 400])
  expect((await post('/form', form, '&'.repeat(20_000))).statusCode).toBe(413)
  expect((await post('/form', form, `long=${long}%00`)).statusCode).toBe(400)
})
