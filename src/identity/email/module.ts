import { cleanup } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { mailCopy } from './copy.ts'
import { outboxRoutes } from './routes.ts'
import { type EmailTransport, redactExpiredSecrets, sendEmail } from './service.ts'

interface Needs {
  stagingTools: boolean
  transport: EmailTransport | null
  mailFrom: string
}

export const emailModule: Module<Needs> = {
  name: 'identity/email',
  messages: mailCopy,
  routes: (app, { stagingTools }) => stagingTools && outboxRoutes(app),
  jobs: {
    emails: {
      retries: { times: 8, firstSeconds: 30 },
      leaseSeconds: 120,
      run: ({ db, partnerId }, job, { transport, mailFrom: from }) =>
        sendEmail({ db, partnerId, transport, from }, job),
    },
  },
  tasks: { 'email-secrets': cleanup(redactExpiredSecrets) },
  memberTables: [
    // An email with a code: whoever is signed in would read what only the mailbox is to have.
    {
      table: 'emails',
      secret: ['attachments', 'last_error'],
      secretWhile: { column: 'secret_until', hides: ['body_text', 'body_html'] },
      deletion: 'deleted',
      merging: 'stays',
    },
  ],
}
