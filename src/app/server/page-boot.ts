import type { FastifyRequest } from 'fastify'
import { PublicId } from '../../identity/members/schemas.ts'
import { readKnownMember } from '../../identity/members/service.ts'
import { ApiError } from '../../platform/errors.ts'
import { programVersion } from '../../programs/content/program-version.ts'
import type { Theme } from '../../programs/partners/theme.ts'
import { nativeAppOf as readNativeApp } from '../../programs/pwa/rules.ts'
import { publicIdCookie } from '../../programs/tracking/rules.ts'
import { nativeCookie } from '../../staging/rules.ts'
import type { Boot } from '../web/boot.ts'
import type { ProgramFileStore } from './program-files.ts'

/** What the start data has of an installation. */
export interface PageBootDeps
  extends Pick<
    Boot,
    | 'vaultOrigin'
    | 'formsOrigin'
    | 'consoleOrigin'
    | 'stagingTools'
    | 'adTagUrl'
    | 'mapTiles'
    | 'botCheck'
    | 'cardProvider'
    | 'hasServiceWorker'
  > {
  web: { styles(type: Theme['type']): string[]; inline?: { stylesheet: string | null } }
  programFiles: ProgramFileStore
  /** Returns the origin of a program's pages. */
  origin: (partnerId: string) => string
}

/** What the start data has of a visitor. */
export interface PageVisitor {
  known: Boot['known']
  passed: Boot['passed']
}

/** Returns the start data of a page. */
export function createBoot(deps: PageBootDeps, request: FastifyRequest, { known, passed }: PageVisitor): Boot {
  const { ctx } = request
  const { theme, shownLogo: logo } = ctx.program
  return {
    ...deps.programFiles.fileOf(ctx).content,
    version: programVersion(ctx),
    preview: ctx.mayPreview,
    reference: isErrorPage(request) ? request.id : '',
    known,
    mode: modeOf(request),
    logo,
    previewImage: ctx.program.previewImage.href,
    // Never the request's Host header: behind a proxy, a client may choose it.
    origin: deps.origin(ctx.partnerId),
    apiBase: '',
    vaultOrigin: deps.vaultOrigin,
    formsOrigin: deps.formsOrigin,
    stagingTools: deps.stagingTools,
    adTagUrl: deps.adTagUrl,
    mapTiles: deps.mapTiles,
    nativeApp: nativeAppOf(deps, request),
    botCheck: deps.botCheck,
    cardProvider: deps.cardProvider,
    consoleOrigin: deps.consoleOrigin,
    operator: ctx.actor.operator && { name: ctx.actor.operator.name, mayChange: ctx.actor.operator.mayChange },
    hasServiceWorker: deps.hasServiceWorker,
    styles: deps.web.inline ? [] : [...deps.web.styles(theme.type), ctx.program.themeHref],
    laterStyles: deps.web.inline?.stylesheet ?? null,
    themeColor: { light: theme.colors.light.ground, dark: theme.colors.dark.ground },
    passed,
  }
}

export const isErrorPage = ({ url }: FastifyRequest) => /^\/error(\?|$)/.test(url)

/**
 * Returns the member that an invitation was sent to: by the public id in the URL, else by the cookie of an earlier
 * visit.
 */
export async function findKnownVisitor({ ctx, query, cookies }: FastifyRequest): Promise<Boot['known']> {
  if (ctx.actor.memberId !== null) return null
  const id = PublicId.safeParse((query as { publicId?: unknown }).publicId ?? cookies[publicIdCookie])
  if (!id.success) return null
  return readKnownMember(ctx.db, ctx, id.data).catch((error) => {
    if (error instanceof ApiError) return null
    throw error
  })
}

export function nativeAppOf(
  { stagingTools }: Pick<PageBootDeps, 'stagingTools'>,
  { headers, cookies }: FastifyRequest,
): Boot['nativeApp'] {
  return readNativeApp((stagingTools && cookies[nativeCookie]) || (headers['user-agent'] ?? ''))
}

export function modeOf({ cookies }: FastifyRequest): Boot['mode'] {
  return cookies.mode === 'dark' || cookies.mode === 'light' ? cookies.mode : null
}
