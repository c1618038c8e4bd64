import type { PublishedContent } from './content-cache.ts'

declare module '../../platform/http/context.ts' {
  interface Ctx {
    content: {
      live: PublishedContent
      drafts: PublishedContent
      /** Content shown to this request: the drafts when it may preview. */
      shown: PublishedContent
    }
    /** Whether this request may see unpublished content. */
    mayPreview: boolean
    /** Whether an editor's pass allows that. Some programs show their drafts to everybody. */
    hasPreviewPass: boolean
  }
}
