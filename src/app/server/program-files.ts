import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../platform/http/context.ts'
import { EncodedBody, sendEncoded } from '../../platform/http/encoded-body.ts'
import { publicConfig } from '../../programs/partners/rules.ts'
import type { ProgramFile } from '../web/boot.ts'

interface StoredFile {
  href: string
  content: ProgramFile
  body: EncodedBody
  /** Whether only previews have shown it. */
  isDraft: boolean
}

const prefix = '/assets/program/'
/** Versions of a program that remain available: open pages and caches still refer to earlier ones. */
const maxVersions = 8

/**
 * Creates the files with the part of the start data that all pages of a program share: configuration, feature flags and
 * messages. Their addresses contain a hash, so that browsers store them and a changed program has another file.
 */
export function createProgramFiles() {
  const latest = new WeakMap<Ctx['content']['shown'], { flags: Ctx['flags']; file: StoredFile }>()
  const byPartner = new Map<string, LRUCache<string, StoredFile>>()

  function create(ctx: Ctx): StoredFile {
    const content = {
      config: publicConfig(ctx.program.config),
      flags: ctx.flags,
      messages: ctx.content.shown.catalog,
    }
    const json = JSON.stringify(content)
    const hash = createHash('sha256').update(json).digest('base64url').slice(0, 22)
    const files = byPartner.get(ctx.partnerId) ?? new LRUCache<string, StoredFile>({ max: maxVersions })
    byPartner.set(ctx.partnerId, files)
    const href = `${prefix}${hash}.json`
    const file = files.get(href) ?? { href, content, body: new EncodedBody(json), isDraft: true }
    file.isDraft &&= ctx.mayPreview
    files.set(href, file)
    return file
  }

  /** Returns the file of the program as this request sees it. */
  function fileOf(ctx: Ctx): StoredFile {
    const known = latest.get(ctx.content.shown)
    if (known?.flags === ctx.flags) return known.file
    const file = create(ctx)
    latest.set(ctx.content.shown, { flags: ctx.flags, file })
    return file
  }

  return {
    fileOf,
    serve(app: FastifyInstance): void {
      app.get(`${prefix}:name`, (request, reply) => {
        const { ctx } = request
        const current = fileOf(ctx)
        const stored = byPartner.get(ctx.partnerId)?.get(request.url)
        const requested = stored?.isDraft && !ctx.mayPreview ? undefined : stored
        // Another process has a newer or older program: this one's works as well, but must not be stored.
        reply.header('cache-control', cacheControl(requested))
        return sendEncoded(request, reply, (requested ?? current).body, 'application/json; charset=utf-8')
      })
    },
  }
}

function cacheControl(file: StoredFile | undefined): string {
  if (!file) return 'no-store'
  return `${file.isDraft ? 'private' : 'public'}, max-age=31536000, immutable`
}

export type ProgramFiles = ReturnType<typeof createProgramFiles>
