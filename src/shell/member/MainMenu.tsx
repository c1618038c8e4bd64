import { Menu } from 'lucide-react'
import { Link } from 'react-router'
import { useContent } from '../../content/member/embed/use-content.ts'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { useMember } from '../../members/member/embed/use-member.ts'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { contentLinks, joinTarget } from './embed/links.ts'
import { SmartLink } from './embed/SmartLink.tsx'
import styles from './MainMenu.module.css'

/** The hamburger and what it opens: join or account, the partner's navigation, the footer's links, sign-out. */
export function MainMenu() {
  const t = useCopy()
  const { config } = useProgram()
  const member = useMember()
  const { navbar, footer } = useContent('*')
  const join = joinTarget(config.enrollmentType, member)
  const links = [
    ...contentLinks(navbar?.links),
    ...contentLinks(footer?.primary_links),
    ...contentLinks(footer?.secondary_links),
  ]
  const unique = [...new Map(links.map((link) => [link.url, link])).values()]
  return (
    <>
      <button type="button" className={styles.button} popoverTarget="main-menu" aria-label={t('shell.menu')}>
        <Menu aria-hidden="true" size={22} />
      </button>
      <nav id="main-menu" popover="auto" className={styles.menu} aria-label={t('shell.nav')}>
        <ul>
          {member?.memberType === 'EnrolledCardMember' && (
            <li>
              <Link to="/account/overview">{t('shell.account')}</Link>
            </li>
          )}
          {config.enrollmentType !== 'none' && member?.memberType !== 'EnrolledCardMember' && (
            <li>
              <SmartLink href={join.href}>{t(member ? 'shell.finish_joining' : 'shell.join')}</SmartLink>
            </li>
          )}
          {config.enrollmentType === 'direct' && !member && (
            <li>
              <Link to="/login">{t('shell.sign_in')}</Link>
            </li>
          )}
          {unique.map(({ text, url }) => (
            <li key={url}>
              <SmartLink href={url}>{text}</SmartLink>
            </li>
          ))}
          {member && (
            <li>
              <a href="/SignOut">{t('shell.sign_out')}</a>
            </li>
          )}
        </ul>
      </nav>
    </>
  )
}
