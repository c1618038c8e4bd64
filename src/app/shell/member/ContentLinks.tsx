import type { ContentLink } from '../../../programs/content/member/embed/links.ts'
import { SmartLink } from '../../../programs/content/member/embed/SmartLink.tsx'
import { ByWidth } from './ByWidth.tsx'

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
