import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { asOwner, startTestApp } from '../support/app.ts'
import { openConsole } from '../support/console.ts'

test('CON-203 a file that takes longer than a request may is sent to its end', async () => {
  const app = await startTestApp({ REQUEST_TIMEOUT_MS: '3000' })
  onTestFinished(() => app.stop())
  const [email, password] = ['ada@dineback.example', 'sourdough 4 breakfast']
  await addOperator(app.database.consolePools.shared, { email, name: 'Ada', role: 'admin', partners: null, password })
  const { call, cookie } = await openConsole(app, email, password)
  expect((await call('GET', '/api/acts.csv')).status).toBe(200)
  // More than the buffers of a connection hold.
  const columns = `at, operator_id, operator_name, action, partner_id, object_type, object_id, object_label, member_id, reason,
    status, address, request_id, previous_hash, hash`
  await asOwner(
    app,
    `insert into console.acts (${columns}, before, after)
     select ${columns}, jsonb_build_object('text', repeat('x', 100000)), '{}' from console.acts, generate_series(1, 300) limit 300`,
  )
  const socket = connect(app.port, '127.0.0.1')
  const head = ['GET /api/acts.csv HTTP/1.1', `host: console.localhost:${app.port}`, `cookie: ${cookie}`]
  socket.write([...head, 'connection: close', '', ''].join('\r\n'))
  let [bytes, end] = [0, '']
  socket.on('data', (data) => {
    bytes += data.length
    end = (end + data.toString('latin1')).slice(-5)
  })
  const closed = once(socket, 'close')
  await once(socket, 'data')
  socket.pause()
  await setTimeout(4_000)
  socket.resume()
  await closed
  expect([bytes > 30_000_000, end]).toEqual([true, '0\r\n\r\n'])
})
