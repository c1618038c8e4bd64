import { trustHtml } from '../../../platform/browser/trusted-types.ts'
import { scriptJson } from './structured-data.ts'

/** Data for search engines (JSON-LD); browsers do not execute it. */
export function JsonLd({ data }: { data: object }) {
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON, not markup; scriptJson escapes what could close the element
    <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: trustHtml(scriptJson(data)) }} />
  )
}
