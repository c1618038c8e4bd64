import Menu from 'lucide-react/icons/menu'
import { type MouseEvent, useRef } from 'react'
import { useMember } from '../../../identity/members/member/embed/use-member.ts'
import { withReturn } from '../../../identity/session/sso/return-path.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { type ContentLink, contentLinks, joinTarget } from '../../../programs/content/member/embed/links.ts'
import { SmartLink } from '../../../programs/content/member/embed/SmartLink.tsx'
import { useEntries } from '../../../programs/content/member/embed/use-content.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { ContentLinks } from './ContentLinks.tsx'
import styles from './MainMenu.module.css'
import { useReturnPath } from './use-return-path.ts'

/**
 * The hamburger button and its menu: enrollment or account, the partner's navigation, the footer's links, sign-out. It
 * closes on a click outside, on Escape, and when a link is chosen.
 */
export function MainMenu() {
  const t = useCopy()
  const menu = useRef<HTMLElement>(null)
  const entries = useEntries('*')
  const navbar = entries.find((entry) => entry.slug === 'navbar')?.fields
  const footer = entries.find((entry) => entry.slug === 'footer')?.fields
  const groups = [
    contentLinks(navbar?.links),
    contentLinks(footer?.primary_links),
    contentLinks(footer?.secondary_links),
  ]
  const closeOnChoice = ({ target }: MouseEvent) => {
    if ((target as Element).closest('a')) menu.current?.hidePopover()
  }
  return (
    <>
      <button type="button" className={styles.button} popoverTarget="main-menu" aria-label={t('shell.menu')}>
        <Menu aria-hidden="true" size={22} />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: choosing a link by keyboard also fires a click */}
      <nav
        ref={menu}
        id="main-menu"
        popover="auto"
        className={styles.menu}
        aria-label={t('shell.nav')}
        onClick={closeOnChoice}
      >
        <OwnLinks />
        {withoutRepeats(groups).map((links, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: three groups in a fixed order
          <Links key={index} links={links} />
        ))}
        <SignOut />
      </nav>
    </>
  )
}

// Omits links that an earlier group already contains.
function withoutRepeats(groups: ContentLink[][]): ContentLink[][] {
  const seen = new Set<string>()
  return groups.map((links) => links.filter(({ url }) => !seen.has(url) && seen.add(url)))
}

/** The first links: enrollment, or the account. */
function OwnLinks() {
  const t = useCopy()
  const { config } = useProgram()
  const member = useMember()
  const returnTo = useReturnPath()
  if (config.enrollmentType === 'none' || member?.memberType === 'ClosedAccountMember') return null
  if (member?.memberType === 'EnrolledCardMember') {
    return (
      <ul>
        <li>
          <Link to="/account/overview">{t('shell.account')}</Link>
        </li>
      </ul>
    )
  }
  return (
    <ul>
      <li>
        <SmartLink href={withReturn(joinTarget(config.enrollmentType, member).href, returnTo)} className={styles.join}>
          {t(member ? 'shell.finish_joining' : 'shell.join')}
        </SmartLink>
      </li>
      {config.enrollmentType === 'direct' && !member && (
        <li>
          <Link to={withReturn('/login', returnTo)}>{t('shell.sign_in')}</Link>
        </li>
      )}
    </ul>
  )
}

function Links({ links }: { links: ContentLink[] }) {
  if (links.length === 0) return null
  return (
    <ul>
      <ContentLinks links={links} />
    </ul>
  )
}

function SignOut() {
  const t = useCopy()
  if (!useMember()) return null
  return (
    <ul>
      <li>
        <a href="/SignOut">{t('shell.sign_out')}</a>
      </li>
    </ul>
  )
}
