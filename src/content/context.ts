import type { PublishedContent } from './shelf.ts'

declare module '../kit/server/context.ts' {
  interface Ctx {
    content: {
      live: PublishedContent
      drafts: PublishedContent
      /** What this request is shown: the drafts when it may preview. */
      shown: PublishedContent
    }
    /** Whether this request may see what is not published yet. */
    mayPreview: boolean
  }
}
