import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { fontStack } from '../../platform/font-keys.ts'
import { sameForAll } from '../../platform/http/caching.ts'
import { createHttpApp } from '../../platform/http/create-http-app.ts'
import { csp, NONE, SELF } from '../../platform/http/csp.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Program } from '../../programs/partners/context.ts'
import type { HostRules } from '../../programs/partners/hosts.ts'
import type { renderGallery } from './gallery-page.tsx'

export interface GalleryDeps {
  pages: { renderGallery: typeof renderGallery }
  programs: ReadonlyMap<string, Program>
  rules: HostRules
  logger: Logger
  stagingTools: boolean
  /** Returns the stylesheets of a theme type: its fonts and the app's stylesheet. */
  styles: (type: Program['theme']['type']) => string[]
}

/** The page of all sample programs on the base domain; plain HTML without scripts. */
export async function createGallery(deps: GalleryDeps): Promise<FastifyInstance> {
  const { programs } = deps
  const app = await createHttpApp({
    host: 'gallery',
    logger: deps.logger,
    scheme: deps.rules.scheme,
    referrerPolicy: 'no-referrer',
    framing: 'denied',
    sendError: sendErrorResponse,
  })
  app.setNotFoundHandler((_request, reply) => problem(reply, 404, 'notFound', 'There is no such page.'))
  const css = galleryCss(deps)
  const cssHref = `/gallery.css?v=${createHash('sha256').update(css).digest('base64url').slice(0, 10)}`
  const fontsAndApp = [...programs.values()].flatMap(({ theme }) => deps.styles(theme.type))
  const html = deps.pages.renderGallery({
    programs: [...programs.values()],
    rules: deps.rules,
    stagingTools: deps.stagingTools,
    styles: [...new Set([...fontsAndApp, cssHref])],
  })
  const policy = csp({
    'default-src': NONE,
    'style-src': SELF,
    'font-src': SELF,
    'img-src': [SELF, 'data:'],
    'base-uri': NONE,
    'form-action': NONE,
    'frame-ancestors': NONE,
  })
  app.get('/', sameForAll, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(html),
  )
  app.get('/gallery.css', sameForAll, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').type('text/css; charset=utf-8').send(css),
  )
  return app
}

function sendErrorResponse(reply: FastifyReply, { status }: { status: number }) {
  if (status < 500) return problem(reply, status, 'badRequest', 'This request is not valid.')
  return problem(reply, 500, 'serverError', 'Something went wrong.')
}

function galleryCss({ programs }: GalleryDeps): string {
  const themed = [...programs.values()].map(({ config, theme }) => {
    const c = theme.colors[theme.defaultMode]
    return `.program-${config.code}{--ground:${c.ground};--header:${c.header};--on-header:${c.onHeader};--logo-accent:${c.logoAccent};--text:${c.text};--muted:${c.textMuted};--link:${c.link};--line:${c.line};--focus:${c.focus};--heading:${fontStack(theme.type.heading)};--body:${fontStack(theme.type.body)};--radius:${theme.shape.cardRadius}px;--weight:${theme.type.headingWeight};--case:${theme.type.headingCase}}`
  })
  return `${base}${themed.join('\n')}`
}

const base = `
.gallery{margin:0;background:#f4efe6;color:#1d1a16;font-family:"Instrument Sans","Instrument Sans Fallback",system-ui,sans-serif;line-height:1.5}
.gallery header,.gallery main,.gallery footer{width:100%;max-width:1160px;margin-inline:auto;padding-inline:20px}
.gallery header{padding-block:clamp(36px,8vw,88px) clamp(24px,4vw,44px)}
.brand{font-weight:700;letter-spacing:.02em;margin:0 0 24px;color:#8a3b12}
.gallery h1{font-family:"Fraunces","Fraunces Fallback",Georgia,serif;font-weight:500;font-size:clamp(36px,7vw,72px);line-height:1.02;letter-spacing:-.02em;margin:0 0 20px;text-wrap:balance}
.gallery h1 em{font-style:normal;color:#8a3b12}
.lead{max-width:62ch;font-size:18px;margin:0;color:#4a443b}
.programs{list-style:none;margin:0;padding:0;display:grid;gap:20px;grid-template-columns:repeat(auto-fit,minmax(min(320px,100%),1fr))}
.program{background:var(--ground);color:var(--text);border-radius:var(--radius);overflow:hidden;border:1px solid var(--line);display:flex;flex-direction:column;font-family:var(--body)}
.link{display:flex;flex-direction:column;gap:10px;color:inherit;text-decoration:none;flex:1}
.link .logo{display:flex;align-items:center;background:var(--header);color:var(--on-header);padding:34px 24px;min-height:120px;box-sizing:border-box}
.link .logo svg{height:44px;width:auto;max-width:100%}
.link strong{font-family:var(--heading);font-weight:var(--weight);text-transform:var(--case);font-size:24px;line-height:1.15;padding:10px 24px 0}
.link .what{padding:0 24px;color:var(--text)}
.link:hover strong{text-decoration:underline;text-underline-offset:4px}
.link:focus-visible,.tools:focus-visible{outline:3px solid var(--focus);outline-offset:-4px}
.facts{display:flex;flex-wrap:wrap;gap:6px 16px;margin:14px 24px 20px;font-size:14px;color:var(--muted)}
.tools{color:var(--link);font-size:14px;padding:12px 24px;border-top:1px solid var(--line);min-height:20px}
.gallery footer{padding-block:36px;font-size:14px;color:#5c554a}
.gallery footer a{color:#8a3b12}
@media (prefers-reduced-motion:no-preference){.program{transition:transform .18s}.program:hover{transform:translateY(-3px)}}
`
