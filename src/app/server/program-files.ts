import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Ctx } from '../../platform/http/context.ts'
import { EncodedBody, sendEncoded } from '../../platform/http/encoded-body.ts'
import { type ContentOf, laterContentNames, sharedContentNames } from '../../programs/content/contract.ts'
import { publicConfig } from '../../programs/partners/rules.ts'
import type { ProgramFile, ProgramSite } from '../web/boot.ts'

interface StoredFile {
  href: string
  body: EncodedBody
  /** Whether only previews have shown it. */
  isDraft: boolean
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

const prefix = '/assets/program/'
const laterPrefix = `${prefix}later-`
/** Files of a program that remain available: open pages and caches still refer to earlier versions. */
const maxFiles = 16

/**
 * Creates the files with what all pages of a program share: configuration, feature flags, messages, addresses, and the
 * content that most pages show; a second file has the other content, for later pages. Their addresses contain a hash, so that
 * browsers store them and a changed program has other files.
 */
export function createProgramFiles(installation: Installation) {
  const latest = new WeakMap<Ctx['content']['shown'], { flags: Ctx['flags']; files: ProgramFiles }>()
  const byPartner = new Map<string, LRUCache<string, StoredFile>>()

  function store(ctx: Ctx, given: { prefix: string; content: unknown }): StoredFile {
    const json = JSON.stringify(given.content)
    const hash = createHash('sha256').update(json).digest('base64url').slice(0, 22)
    const files = byPartner.get(ctx.partnerId) ?? new LRUCache<string, StoredFile>({ max: maxFiles })
    byPartner.set(ctx.partnerId, files)
    const href = `${given.prefix}${hash}.json`
    const file = files.get(href) ?? { href, body: new EncodedBody(json), isDraft: true }
    file.isDraft &&= ctx.mayPreview
    files.set(href, file)
    return file
  }

  /** Returns the files of the program as this request sees it. */
  function filesOf(ctx: Ctx): ProgramFiles {
    const known = latest.get(ctx.content.shown)
    if (known?.flags === ctx.flags) {
      // An editor may have been the first to request them.
      for (const file of Object.values(known.files)) file.isDraft &&= ctx.mayPreview
      return known.files
    }
    const later = store(ctx, { prefix: laterPrefix, content: contentOf(ctx, laterContentNames) })
    const content: ProgramFile = {
      config: publicConfig(ctx.program.config),
      flags: ctx.flags,
      messages: ctx.content.shown.catalog,
      content: contentOf(ctx, sharedContentNames),
      site: siteOf(ctx, installation),
      laterContent: later.href,
    }
    const start = Object.assign(store(ctx, { prefix, content }), { content })
    const files = { start, later }
    latest.set(ctx.content.shown, { flags: ctx.flags, files })
    return files
  }

  return {
    /** Returns the file that a page loads before hydration. */
    fileOf: (ctx: Ctx) => filesOf(ctx).start,
    serve(app: FastifyInstance): void {
      app.get(`${prefix}:name`, (request, reply) => {
        const { ctx } = request
        const current = filesOf(ctx)[request.url.startsWith(laterPrefix) ? 'later' : 'start']
        const stored = byPartner.get(ctx.partnerId)?.get(request.url)
        const requested = stored?.isDraft && !ctx.mayPreview ? undefined : stored
        // Another process has a newer or older program: this one's works as well, but must not be stored.
        reply.header('cache-control', cacheControl(requested))
        return sendEncoded(request, reply, (requested ?? current).body, 'application/json; charset=utf-8')
      })
    },
  }
}

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

function cacheControl(file: StoredFile | undefined): string {
  if (!file) return 'no-store'
  return `${file.isDraft ? 'private' : 'public'}, max-age=31536000, immutable`
}

export type ProgramFileStore = ReturnType<typeof createProgramFiles>
