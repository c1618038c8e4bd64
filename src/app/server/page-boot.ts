import type { FastifyRequest } from 'fastify'
import { PublicId } from '../../identity/members/schemas.ts'
import { readKnownMember } from '../../identity/members/service.ts'
import { ApiError } from '../../platform/errors.ts'
import { programVersion } from '../../programs/content/program-version.ts'
import type { Theme } from '../../programs/partners/theme.ts'
import { nativeAppOf as readNativeApp } from '../../programs/pwa/rules.ts'
import { publicIdCookie } from '../../programs/tracking/rules.ts'
import { nativeCookie } from '../../staging/rules.ts'
import type { PageBoot } from '../web/boot.ts'

export interface PageBootDeps {
  web: { styles(type: Theme['type']): string[]; inline?: { stylesheet: string | null } }
  stagingTools: boolean
}

/** What the start data has of a visitor. */
export interface PageVisitor {
  known: PageBoot['known']
  passed: PageBoot['passed']
}

/** Returns the page's part of the start data. */
export function createPageBoot(deps: PageBootDeps, request: FastifyRequest, { known, passed }: PageVisitor): PageBoot {
  const { ctx } = request
  return {
    version: programVersion(ctx),
    preview: ctx.mayPreview,
    reference: isErrorPage(request) ? request.id : '',
    known,
    mode: modeOf(request),
    apiBase: '',
    nativeApp: nativeAppOf(deps, request),
    operator: ctx.actor.operator && { name: ctx.actor.operator.name, mayChange: ctx.actor.operator.mayChange },
    styles: deps.web.inline ? [] : [...deps.web.styles(ctx.program.theme.type), ctx.program.themeHref],
    laterStyles: deps.web.inline?.stylesheet ?? null,
    passed,
  }
}

export const isErrorPage = ({ url }: FastifyRequest) => /^\/error(\?|$)/.test(url)

/**
 * Returns the member that an invitation was sent to: by the public id in the URL, else by the cookie of an earlier
 * visit.
 */
export async function findKnownVisitor({ ctx, query, cookies }: FastifyRequest): Promise<PageBoot['known']> {
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
): PageBoot['nativeApp'] {
  return readNativeApp((stagingTools && cookies[nativeCookie]) || (headers['user-agent'] ?? ''))
}

export function modeOf({ cookies }: FastifyRequest): PageBoot['mode'] {
  return cookies.mode === 'dark' || cookies.mode === 'light' ? cookies.mode : null
}
