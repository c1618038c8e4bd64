import { trustHtml } from '../../../platform/browser/trusted-types.ts'
import { scriptJson } from './structured-data.ts'

/**
 * Data for search engines (JSON-LD). They read documents, so only the server computes it: browsers pass null, leave what
 * the document has, and need not load the code.
 */
export function JsonLd({ data }: { data: object | null }) {
  return (
    <script
      type="application/ld+json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON, not markup; scriptJson escapes what could close the element
      dangerouslySetInnerHTML={{ __html: trustHtml(import.meta.env?.SSR ? scriptJson(data as object) : '') }}
      suppressHydrationWarning
    />
  )
}
