import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { sameForAll } from '../../platform/http/caching.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { EncodedBody, sendEncoded } from '../../platform/http/encoded-body.ts'
import { type ContentOf, laterContentNames, sharedContentNames } from '../../programs/content/contract.ts'
import type { MessageCatalog } from '../../programs/content/messages.ts'
import { publicConfig } from '../../programs/partners/public-config.ts'
import type { ProgramFile, ProgramSite } from '../web/boot.ts'

interface StoredFile {
  href: string
  body: EncodedBody
}

/** What the files have of an installation. */
type Installation = Omit<ProgramSite, 'logo' | 'previewImage' | 'themeColor' | 'origin'> & {
  /** Returns the origin of a program's pages. */
  origin: (partnerId: string) => string
}

/** The files of one version of a program. */
interface ProgramFiles {
  start: StoredFile & { content: ProgramFile }
  later: StoredFile
}

/** Messages of emails, and of API responses about cards: only the server uses them, and they are a large part of all. */
const serverOnly = /[._]mail\.|^cards\.error\./

function messagesForPages({ messages, tokens }: MessageCatalog): MessageCatalog {
  return { messages: Object.fromEntries(Object.entries(messages).filter(([key]) => !serverOnly.test(key))), tokens }
}

/** Files that all visitors get. */
const folder = '/assets/program/'
/** Files of a preview: only for requests with its pass, and stored by no cache. */
const draftFolder = '/assets/draft/'
const later = 'later-'
/** Files of a program that remain available: open pages and caches still refer to earlier versions. */
const maxFiles = 16

/**
 * Creates the files with what all pages of a program share: configuration, feature flags, messages, addresses, and the
 * content that most pages show; a second file has the other content, for later pages. Their addresses contain a hash, so that
 * browsers store them and a changed program has other files.
 */
export function createProgramFiles(installation: Installation) {
  type Latest = WeakMap<Ctx['content']['shown'], { flags: Ctx['flags']; files: ProgramFiles }>
  // Drafts may be the same object as what is live.
  const latest: Record<string, Latest> = { [folder]: new WeakMap(), [draftFolder]: new WeakMap() }
  const byPartner = new Map<string, LRUCache<string, StoredFile>>()

  function store(ctx: Ctx, given: { prefix: string; content: unknown }): StoredFile {
    const json = JSON.stringify(given.content)
    const hash = createHash('sha256').update(json).digest('base64url').slice(0, 22)
    const files = byPartner.get(ctx.partnerId) ?? new LRUCache<string, StoredFile>({ max: maxFiles })
    byPartner.set(ctx.partnerId, files)
    const href = `${folderOf(ctx)}${given.prefix}${hash}.json`
    const file = files.get(href) ?? { href, body: new EncodedBody(json) }
    files.set(href, file)
    return file
  }

  /** Returns the files of the program as this request sees it. */
  function filesOf(ctx: Ctx): ProgramFiles {
    const known = latest[folderOf(ctx)]?.get(ctx.content.shown)
    if (known?.flags === ctx.flags) return known.files
    const laterFile = store(ctx, { prefix: later, content: contentOf(ctx, laterContentNames) })
    const content: ProgramFile = {
      config: publicConfig(ctx.program.config),
      flags: ctx.flags,
      messages: messagesForPages(ctx.content.shown.catalog),
      content: contentOf(ctx, sharedContentNames),
      site: siteOf(ctx, installation),
      laterContent: laterFile.href,
    }
    const start = Object.assign(store(ctx, { prefix: '', content }), { content })
    const files = { start, later: laterFile }
    latest[folderOf(ctx)]?.set(ctx.content.shown, { flags: ctx.flags, files })
    return files
  }

  const storedFile = ({ ctx, url }: FastifyRequest) => byPartner.get(ctx.partnerId)?.get(url)
  const currentFile = ({ ctx, url }: FastifyRequest) =>
    filesOf(ctx)[url.split('/').at(-1)?.startsWith(later) ? 'later' : 'start']

  return {
    /** Returns the file that a page loads before hydration. */
    fileOf: (ctx: Ctx) => filesOf(ctx).start,
    serve(app: FastifyInstance): void {
      app.get(`${folder}:name`, sameForAll, (request, reply) => {
        const stored = storedFile(request)
        // Another process has a newer or older program: this one's works as well, but must not be stored.
        reply.header('cache-control', stored ? 'public, max-age=31536000, immutable' : 'no-store')
        return sendEncoded(request, reply, (stored ?? currentFile(request)).body, jsonType)
      })
      // Without its pass, a request has no drafts, and gets the files of all visitors.
      app.get(`${draftFolder}:name`, (request, reply) => {
        const stored = request.ctx.hasPreviewPass ? storedFile(request) : undefined
        return sendEncoded(
          request,
          reply.header('cache-control', 'no-store'),
          (stored ?? currentFile(request)).body,
          jsonType,
        )
      })
    },
  }
}

const jsonType = 'application/json; charset=utf-8'

const folderOf = (ctx: Ctx) => (ctx.hasPreviewPass ? draftFolder : folder)

function siteOf({ partnerId, program }: Ctx, { origin, ...installation }: Installation): ProgramSite {
  const { light, dark } = program.theme.colors
  return {
    ...installation,
    logo: program.shownLogo,
    previewImage: program.previewImage.href,
    // Never the request's Host header: behind a proxy, a client may choose it.
    origin: origin(partnerId),
    themeColor: { light: light.ground, dark: dark.ground },
  }
}

function contentOf<const N extends keyof ContentOf>({ content }: Ctx, names: readonly N[]): Pick<ContentOf, N> {
  const { collections } = content.shown
  return Object.fromEntries(names.map((name) => [name, collections[name] ?? []])) as unknown as Pick<ContentOf, N>
}

export type ProgramFileStore = ReturnType<typeof createProgramFiles>
