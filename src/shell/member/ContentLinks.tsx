import { ByWidth } from './ByWidth.tsx'
import type { ContentLink } from './embed/links.ts'
import { SmartLink } from './embed/SmartLink.tsx'

/** The links of a content field as list items. */
export function ContentLinks({ links }: { links: readonly ContentLink[] }) {
  return links.map((link) => (
    <li key={link.url}>
      <SmartLink href={link.url}>
        <ByWidth link={link} />
      </SmartLink>
    </li>
  ))
}
