import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queueEmail, smtpTransport } from '../../src/identity/email/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { plainTheme } from '../support/reservation-harness.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'

const harness = setUpTestHarness()
const name = 'Ada\r\nBcc: eve@example.com\r\n\r\n\u202eHi\x07'

test('Case 100 a stored name with line breaks adds no header to an email, and nothing invisible', async () => {
  const ctx = createTestContext(harness, 'skyharbor')
  const withTheme = { ...ctx, program: { ...ctx.program, theme: plainTheme } }
  const memberId = await addMember(ctx.db)
  await inTransaction(ctx.db, (tx) =>
    queueEmail(tx, withTheme, {
      memberId,
      recipient: 'ada@example.com',
      topic: 'test',
      about: '1',
      content: {
        subject: `Your table at ${name}`,
        preview: name,
        title: name,
        paragraphs: [`Hello ${name}, welcome.`],
        facts: [['Restaurant', name]],
        smallPrint: [name],
      },
    }),
  )
  const row = await ctx.db.selectFrom('emails').selectAll().where('member_id', '=', memberId).executeTakeFirstOrThrow()
  expect(row.subject).toBe('Your table at Ada Bcc: eve@example.com Hi')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there
  for (const text of [row.body_text, row.body_html]) expect(text).not.toMatch(/[\r\x07\u202e]/)
  expect(row.body_text.split('\n')[0]).toBe('Ada Bcc: eve@example.com Hi')
})

/** A mail server that accepts everything. */
const mails: { recipients: string[]; text: string }[] = []
const server = createServer((socket) => receive(socket))
let url = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})

function receive(socket: Socket): void {
  const mail = { recipients: [] as string[], text: '' }
  let inData = false
  let rest = ''
  socket.setEncoding('utf8').write('220 mail.example ESMTP\r\n')
  socket.on('data', (chunk: string) => {
    rest += chunk
    for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 2)
      if (inData && line !== '.') mail.text += `${line}\r\n`
      else if (inData) {
        inData = false
        mails.push(mail)
        socket.write('250 accepted\r\n')
      } else answer(line)
    }
  })
  function answer(line: string): void {
    if (/^RCPT TO:/i.test(line)) mail.recipients.push(line.slice(8).trim())
    inData = /^DATA$/i.test(line)
    socket.write(inData ? '354 go on\r\n' : '250 ok\r\n')
    if (/^QUIT$/i.test(line)) socket.end()
  }
}

test('Case 100 the mail server gets one recipient and no added header, whatever the subject is', async () => {
  await smtpTransport(url)({
    from: 'Dineback <no-reply@dineback.example>',
    recipient: 'ada@example.com',
    subject: `Your table at ${name}`,
    text: 'Hello',
    html: '<p>Hello</p>',
    attachments: [{ name: `x${name}.ics`, type: 'text/calendar', content: 'x' }],
    messageId: '<1@dineback.example>',
  })
  const [mail] = mails
  expect(mail?.recipients).toEqual(['<ada@example.com>'])
  const headers =
    mail?.text
      .split('\r\n\r\n')[0]
      ?.replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n') ?? []
  expect(headers.map((line) => line.split(':')[0]?.toLowerCase()).toSorted()).toEqual([
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
  ])
})
