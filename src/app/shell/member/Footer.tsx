import { useMember } from '../../../identity/members/member/embed/use-member.ts'
import { withReturn } from '../../../identity/session/sso/return-path.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { contentLinks, ownLink } from '../../../programs/content/member/embed/links.ts'
import { SmartLink } from '../../../programs/content/member/embed/SmartLink.tsx'
import { useEntries } from '../../../programs/content/member/embed/use-content.ts'
import { useCopy, useFill, useFillHtml } from '../../../programs/content/member/embed/use-copy.tsx'
import type { PublicConfig } from '../../../programs/partners/contract.ts'
import { ProgramLogo } from '../../../programs/partners/member/embed/ProgramLogo.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { TrustedHtml } from '../../../ui/TrustedHtml.tsx'
import { ContentLinks } from './ContentLinks.tsx'
import styles from './Footer.module.css'
import { ModeSwitch } from './ModeSwitch.tsx'
import { useReturnPath } from './use-return-path.ts'

/** The footer of every page: apps, brands, links, support contact and disclaimers. */
export function Footer() {
  const t = useCopy()
  const fillHtml = useFillHtml()
  const { config, logo, nativeApp } = useProgram()
  const footer = useEntries('*').find((entry) => entry.slug === 'footer')?.fields
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.brands}>
          <ProgramLogo logo={logo} className={styles.logo} />
          <Brands brands={config.brandLogos} />
          {!nativeApp && <StoreBadges stores={config.appStores} />}
        </div>
        <PrimaryLinks />
        <ul className={styles.links}>
          <ContentLinks links={contentLinks(footer?.secondary_links)} />
          <li>
            <Link to="/restaurants">{t('cities.title')}</Link>
          </li>
        </ul>
        <p className={styles.small}>
          {t('shell.copyright', { year: new Date().getUTCFullYear() })}{' '}
          <SupportEmail {...config.customerSupport.email} /> {t('shell.call')}{' '}
          <a href={config.customerSupport.phone.href}>{config.customerSupport.phone.formatted}</a>
        </p>
        {footer && <TrustedHtml className={styles.small} html={fillHtml(footer.disclaimer)} />}
        <div className={styles.last}>
          <p className={styles.small}>{t('shell.data_credit')}</p>
          <ModeSwitch />
          {config.showNetworkLogo && <NetworkLogo />}
        </div>
      </div>
    </footer>
  )
}

function PrimaryLinks() {
  const t = useCopy()
  const { config } = useProgram()
  const member = useMember()
  const own = ownLink(config.enrollmentType, member)
  const returnTo = useReturnPath()
  const footer = useEntries('*').find((entry) => entry.slug === 'footer')?.fields
  const links = contentLinks(footer?.primary_links)
  return (
    <ul className={`${styles.links} ${styles.primary}`}>
      <ContentLinks links={links} />
      {own && (
        <li>
          <SmartLink href={member?.memberType === 'EnrolledCardMember' ? own.href : withReturn(own.href, returnTo)}>
            {t(own.key)}
          </SmartLink>
        </li>
      )}
    </ul>
  )
}

function Brands({ brands }: { brands: PublicConfig['brandLogos'] }) {
  const t = useCopy()
  if (brands.length === 0) return null
  return (
    <ul className={styles.chain} aria-label={t('shell.brands')}>
      {brands.map(({ name, url }) => (
        <li key={name}>
          {url ? (
            <a href={url} rel="noopener">
              {name}
            </a>
          ) : (
            name
          )}
        </li>
      ))}
    </ul>
  )
}

function StoreBadges({ stores }: { stores: PublicConfig['appStores'] }) {
  const t = useCopy()
  return (
    <div className={styles.badges}>
      {stores.ios && (
        <a href={stores.ios} rel="noopener" className={styles.badge}>
          {t('shell.ios')}
        </a>
      )}
      {stores.android && (
        <a href={stores.android} rel="noopener" className={styles.badge}>
          {t('shell.android')}
        </a>
      )}
    </div>
  )
}

/** The logo of the network that runs the program, in the surrounding text color. */
function NetworkLogo() {
  const t = useCopy()
  return (
    <span className={styles.network}>
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" fill="none" stroke="currentColor">
        <circle cx="12" cy="12" r="10" strokeWidth="1.6" />
        <path d="M7 12a5 5 0 1 0 2-4M9 5v3h3" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      {t('shell.powered')}
    </span>
  )
}

/** Renders an email address as a mailto link, a URL as a link, and anything else as text. */
function SupportEmail({ href, display }: { href: string; display: string }) {
  const fill = useFill()
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(href)) return <a href={`mailto:${href}`}>{fill(display)}</a>
  if (/^https?:\/\//.test(href)) return <a href={href}>{fill(display)}</a>
  return <span>{fill(display)}</span>
}
