import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smtpTransport } from './transport.ts'

/** The commands and messages that the mail server has received, line by line. */
const received: string[] = []

/** A mail server that accepts every recipient but `unknown@example.com`. */
async function serve(socket: Socket): Promise<void> {
  let isMessage = false
  socket.on('error', () => {}).write('220 mail.example.com\r\n')
  for await (const line of createInterface({ input: socket })) {
    received.push(line)
    if (isMessage && line !== '.') continue
    isMessage = line === 'DATA'
    const code = isMessage ? 354 : line === 'QUIT' ? 221 : line.includes('<unknown@') ? 550 : 250
    socket.write(`${code} mail.example.com\r\n`)
  }
}

const server = createServer((socket) => void serve(socket))
let send: ReturnType<typeof smtpTransport>
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  send = smtpTransport(`smtp://127.0.0.1:${port}/?ignoreTLS=true`)
})
afterAll(() => server.close())

const message = {
  from: 'Dineback <no-reply@dineback.example>',
  recipient: 'ada@example.com',
  subject: 'Your reservation',
  text: 'See you at seven.',
  html: '<p>See you at <b>seven</b>.</p>',
  attachments: [{ name: 'reservation.ics', type: 'text/calendar', content: 'BEGIN:VCALENDAR' }],
  messageId: '<skyharbor.7@dineback.example>',
}

test('a message has its sender, recipient, id, both texts, and the attachments with their names and types', async () => {
  await send(message)
  for (const line of [
    'MAIL FROM:<no-reply@dineback.example>',
    'RCPT TO:<ada@example.com>',
    'From: Dineback <no-reply@dineback.example>',
    'To: ada@example.com',
    'Subject: Your reservation',
    'Message-ID: <skyharbor.7@dineback.example>',
    'See you at seven.',
    '<p>See you at <b>seven</b>.</p>',
    'Content-Type: text/calendar; name=reservation.ics',
    'Content-Disposition: attachment; filename=reservation.ics',
  ])
    expect(received).toContain(line)
  expect(received.join('\n')).toMatch(/BEGIN:VCALENDAR|QkVHSU46VkNBTEVOREFS/)
})

test('a message that the mail server rejects is reported', async () => {
  await expect(send({ ...message, recipient: 'unknown@example.com' })).rejects.toThrow(/550/)
})
