import type { FastifyInstance, FastifyRequest } from 'fastify'
import { registerRoute } from '../../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as files from './files-service.ts'
import * as messages from './messages-service.ts'
import * as replays from './replay-service.ts'
import * as schemas from './schemas.ts'
import * as unmatched from './unmatched-service.ts'

/** Largest file that can be uploaded, in bytes; larger ones are for the command line. */
const uploadLimit = 32 * 1024 * 1024
/** Files that are received or read at a time, of all operators: each is in memory as a whole. */
const maxUploads = 4

const fileType = 'application/octet-stream'

/** Refuses files beyond `maxUploads` before anything of them is read: a body comes before its operator's permission. */
function limitUploads(app: FastifyInstance): void {
  let uploads = 0
  app.addHook('preParsing', async (request, reply) => {
    if (!request.headers['content-type']?.startsWith(fileType)) return
    if (uploads >= maxUploads) {
      // The rest of the body is not awaited.
      reply.header('connection', 'close')
      throw Object.assign(new Error('too many uploads'), { statusCode: 429 })
    }
    uploads++
    reply.raw.once('close', () => uploads--)
  })
}

/** Registers the console's calls about the feed: unmatched transactions, messages and files. */
export function feedConsoleRoutes(app: FastifyInstance): void {
  limitUploads(app)
  app.addContentTypeParser(
    fileType,
    { parseAs: 'buffer', bodyLimit: uploadLimit },
    async (_request: FastifyRequest, bytes: Buffer) => bytes,
  )
  registerRoute(app, calls.listFeedMessages, schemas.listFeedMessages, (ctx, { query }) =>
    messages.listFeedMessages(ctx, query),
  )
  registerRoute(app, calls.getFeedMessage, schemas.getFeedMessage, (ctx, { params }) =>
    messages.getFeedMessage(ctx, params.id),
  )
  registerRoute(app, calls.listFeedFiles, schemas.listFeedFiles, (ctx, { query }) => files.listFeedFiles(ctx, query))
  registerRoute(app, calls.getFeedFile, schemas.getFeedFile, (ctx, { params }) => files.getFeedFile(ctx, params.id))
  registerRoute(app, calls.exportFaults, schemas.exportFaults, (ctx, { params }, http) =>
    files.exportFaults(ctx, params.id, http),
  )
  registerRoute(app, calls.checkFeedFile, schemas.checkFeedFile, (ctx, { query }, http) =>
    files.checkFeedFile(ctx, query.name, http),
  )
  registerRoute(app, calls.uploadFeedFile, schemas.uploadFeedFile, (ctx, { query }, http) =>
    files.uploadFeedFile(ctx, query.name, http),
  )
  registerRoute(app, calls.replayFile, schemas.replayFile, (ctx, { params, body }) =>
    files.replayFile(ctx, params.id, body.reason),
  )
  registerRoute(app, calls.previewReplay, schemas.previewReplay, (ctx, { body }) =>
    replays.previewReplay(ctx, body.span),
  )
  registerRoute(app, calls.replaySpan, schemas.replaySpan, (ctx, { body }) => replays.replaySpan(ctx, body.span, body))
  registerRoute(app, calls.previewReplayOfTransaction, schemas.previewReplayOfTransaction, (ctx, { params }) =>
    replays.previewReplayOfTransaction(ctx, params.id),
  )
  registerRoute(app, calls.replayTransaction, schemas.replayTransaction, (ctx, { params, body }) =>
    replays.replayTransaction(ctx, params.id, body),
  )
  registerRoute(app, calls.listUnmatched, schemas.listUnmatched, (ctx, { query }) =>
    unmatched.listUnmatched(ctx, query),
  )
  registerRoute(app, calls.getUnmatched, schemas.getUnmatched, (ctx, { params }) =>
    unmatched.getUnmatched(ctx, params.id),
  )
  registerRoute(app, calls.findRestaurants, schemas.findRestaurants, (ctx, { query }) =>
    unmatched.findRestaurants(ctx, query.q),
  )
  registerRoute(app, calls.previewAttach, schemas.previewAttach, (ctx, { params, body }) =>
    unmatched.previewAttach(ctx, params.id, body.target),
  )
  registerRoute(app, calls.attachTransaction, schemas.attachTransaction, (ctx, { params, body }) =>
    unmatched.attachTransaction(ctx, params.id, body),
  )
  registerRoute(app, calls.ignoreTransaction, schemas.ignoreTransaction, (ctx, { params, body }) =>
    unmatched.ignoreTransaction(ctx, params.id, body.reason),
  )
  registerRoute(app, calls.restoreTransaction, schemas.restoreTransaction, (ctx, { params }) =>
    unmatched.restoreTransaction(ctx, params.id),
  )
}
