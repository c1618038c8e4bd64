import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Html, html } from '../../platform/html.ts'
import { formatCount } from '../../platform/money.ts'
import { type Fault, type FileRow, listNewestFiles, tallied } from '../../rewards/feed/files/store.ts'
import {
  type AdminDeps,
  mayViewSettlements,
  type Operator,
  requirePasskey,
  resolveAdminContext,
  sendConsolePage,
} from '../operators/service.ts'

export interface FeedFilesAdminContext extends AdminDeps<{ config: { programName: string } }> {
  passkeysRequired: boolean
}

type Request = FastifyRequest<{ Params: Record<string, string> }>

const maxFiles = 100

/** Pages with the results of a program's event files. For administrators. */
export function feedFilesRoutes(app: FastifyInstance, adminContext: FeedFilesAdminContext): void {
  requirePasskey(app, 'feed-files', adminContext)
  app.get('/:partner/feed-files', async (request: Request, reply) => {
    const scope = resolveAdminContext(adminContext, request, mayViewSettlements)
    if (!scope) return reply.callNotFound()
    return sendConsolePage(request, reply, {
      title: `Files of ${scope.program.config.programName}`,
      body: filesPage(scope.partnerId, await listNewestFiles(scope.db, maxFiles)),
      breadcrumbs: [{ label: 'Programs', href: '/' }],
    })
  })
}

/** Returns the link beside each program in the list, for operators with access. */
export const feedFilesLink = (operator: Operator, partnerId: string, programName: string) =>
  mayViewSettlements(operator)
    ? html` <a href="/${partnerId}/feed-files" aria-label="Files of ${programName}">Files</a>`
    : null

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

const outcomes: Record<(typeof tallied)[number], string> = {
  applied: 'Applied',
  unmatched: 'Waiting for card or place',
  repeated: 'Known already',
  ignored: 'Without effect',
  rejected: 'Rejected',
}

function filesPage(partnerId: string, files: readonly FileRow[]): Html {
  if (files.length === 0) {
    return html`<p role="status">No file was read yet. Read one with <code>npm run feed -- --partner ${partnerId} FILE</code>; events that come by webhook are not listed here.</p>`
  }
  return html`<div class="wide full-width" role="region" aria-label="Files" tabindex="0"><table>
<thead><tr><th scope="col">File</th><th scope="col">Started (UTC)</th><th scope="col" class="number">Lines read</th>${tallied.map((name) => html`<th scope="col" class="number">${outcomes[name]}</th>`)}<th scope="col">State</th></tr></thead>
<tbody>${files.map(
    (file) => html`<tr><th scope="row">${file.name}${faultsOf(file)}</th><td>${moment.format(file.started_at)}</td>
<td class="number">${formatCount(file.lines_read)}</td>${tallied.map((name) => html`<td class="number">${formatCount(file[name])}</td>`)}
<td><span class="state">${file.finished_at ? 'read' : 'not read to its end'}</span></td></tr>`,
  )}</tbody></table></div>
<p class="muted">A file is known by its content. One that was cut off goes on where it stopped when it is read again; one that was read changes nothing.</p>`
}

/** Renders the first rejected lines, each with its error code. */
function faultsOf({ faults }: FileRow): Html | null {
  const rejected = faults as unknown as Fault[]
  if (rejected.length === 0) return null
  return html`<details><summary>Rejected lines</summary><ul>${rejected.map(({ line, code }) => html`<li>${formatCount(line)}: ${code}</li>`)}</ul></details>`
}
