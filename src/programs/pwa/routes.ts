import { existsSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { sameForAll } from '../../platform/http/caching.ts'
import { createNonce, csp, NONE, nonceSource, SELF } from '../../platform/http/csp.ts'
import { problem } from '../../platform/http/problem.ts'
import { DrawingBusy } from '../../platform/images/draw-png.ts'
import { withNamespace } from '../../platform/images/svg-file.ts'
import type { Program } from '../partners/context.ts'
import { drawIcon, markVersion } from './icons.ts'
import { iconSizes, manifestOf } from './manifest.ts'
import type { PageStyles, renderOfflinePage } from './offline-page.tsx'
import { drawPreviewImage } from './preview-image.ts'

export interface PwaDeps {
  /** Null without pages: there is no offline page then. */
  pages: { renderOfflinePage: typeof renderOfflinePage } | null
  /** The built service worker, or null without a build; pages then do not request one. */
  workerFile: string | null
  /** Returns the styles of a theme type. */
  styles: (type: Program['theme']['type']) => PageStyles
}

const forever = 'public, max-age=31536000, immutable'

/** Registers the routes that make a program installable. */
export function pwaRoutes(app: FastifyInstance, { pages, workerFile, styles }: PwaDeps): void {
  app.get('/manifest.webmanifest', sameForAll, ({ ctx }, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify(manifestOf(ctx.program, { iconVersion: markVersion(ctx.program.mark), t: ctx.t }))),
  )
  app.get<{ Params: { file: string } }>('/icons/:file', sameForAll, async ({ ctx, params, url }, reply) => {
    const size = iconSizes.find((each) => params.file === `${each}.png`)
    if (size === undefined) return reply.callNotFound()
    const { mark } = ctx.program
    const versioned = url.endsWith(`?v=${markVersion(mark)}`)
    return reply
      .header('cache-control', versioned ? forever : 'public, max-age=3600')
      .type('image/png')
      .send(Buffer.from(await drawIcon(withNamespace(mark), size)))
  })
  // The page names the address with the hash of the current image.
  app.get<{ Params: { file: string } }>('/social/:file', sameForAll, async ({ ctx, params }, reply) => {
    const { previewImage } = ctx.program
    if (!previewImage.href.endsWith(`/${params.file}`)) return reply.callNotFound()
    try {
      const png = Buffer.from(await drawPreviewImage(previewImage))
      return reply.header('cache-control', forever).type('image/png').send(png)
    } catch (error) {
      if (!(error instanceof DrawingBusy)) throw error
      return problem(reply.header('retry-after', '5'), 503, 'busy', ctx.t('errors.busy'))
    }
  })
  app.get('/offline', sameForAll, ({ ctx }, reply) => {
    if (!pages) return reply.callNotFound()
    const nonce = createNonce()
    const policy = csp({
      'default-src': NONE,
      'style-src': [SELF, nonceSource(nonce)],
      'img-src': SELF,
      'font-src': SELF,
      'script-src': nonceSource(nonce),
      'base-uri': NONE,
      'form-action': NONE,
      'frame-ancestors': NONE,
    })
    return reply
      .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(pages.renderOfflinePage(ctx, styles(ctx.program.theme.type), nonce))
  })
  const worker = workerFile && existsSync(workerFile) ? readFileSync(workerFile) : null
  app.get('/sw.js', sameForAll, (_request, reply) => {
    if (!worker) return reply.callNotFound()
    return reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(worker)
  })
}
