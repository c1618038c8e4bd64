import { useContent } from '../../content/member/embed/use-content.ts'
import { useCopy, useFillHtml } from '../../content/member/embed/use-copy.tsx'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { TrustedHtml } from '../../ui/TrustedHtml.tsx'
import { type ContentLink, contentLinks } from './embed/links.ts'
import { SmartLink } from './embed/SmartLink.tsx'
import styles from './Footer.module.css'

export function Footer() {
  const t = useCopy()
  const fillHtml = useFillHtml()
  const { config, logo } = useProgram()
  const { footer } = useContent('*')
  const primary = contentLinks(footer?.primary_links)
  const secondary = contentLinks(footer?.secondary_links)
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <TrustedHtml as="span" className={styles.logo} aria-hidden html={logo} />
        <Links links={primary} />
        <Links links={secondary} />
        <p className={styles.small}>
          {t('shell.copyright', { year: new Date().getUTCFullYear() })}{' '}
          <SupportEmail {...config.customerSupport.email} />
        </p>
        {typeof footer?.disclaimer === 'string' && (
          <TrustedHtml className={styles.small} html={fillHtml(footer.disclaimer)} />
        )}
        <p className={styles.small}>
          {t('shell.data_credit')} {config.showNetworkLogo && t('shell.powered')}
        </p>
      </div>
    </footer>
  )
}

function Links({ links }: { links: ContentLink[] }) {
  return (
    <ul className={styles.links}>
      {links.map(({ text, url }) => (
        <li key={url}>
          <SmartLink href={url}>{text}</SmartLink>
        </li>
      ))}
    </ul>
  )
}

/** mailto only for what is an address; a web address is a link, anything else is text. */
function SupportEmail({ href, display }: { href: string; display: string }) {
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(href)) return <a href={`mailto:${href}`}>{display}</a>
  if (/^https?:\/\//.test(href)) return <a href={href}>{display}</a>
  return <span>{display}</span>
}
