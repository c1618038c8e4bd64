import { useContent } from '../../content/member/embed/use-content.ts'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { contentLinks } from './embed/links.ts'
import { SmartLink } from './embed/SmartLink.tsx'
import styles from './Footer.module.css'

export function Footer() {
  const t = useCopy()
  const { config, logo } = useProgram()
  const { footer } = useContent('*')
  const primary = contentLinks(footer?.primary_links)
  const secondary = contentLinks(footer?.secondary_links)
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <span className={styles.logo} aria-hidden="true" dangerouslySetInnerHTML={{ __html: logo }} />
        {[primary, secondary].map((links, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two fixed lists
          <ul key={index} className={styles.links}>
            {links.map(({ text, url }) => (
              <li key={url}>
                <SmartLink href={url}>{text}</SmartLink>
              </li>
            ))}
          </ul>
        ))}
        <p className={styles.small}>
          {t('shell.copyright', { year: new Date().getUTCFullYear() })}{' '}
          <SupportEmail {...config.customerSupport.email} />
        </p>
        {typeof footer?.disclaimer === 'string' && <p className={styles.small}>{footer.disclaimer}</p>}
        <p className={styles.small}>
          {t('shell.data_credit')} {config.showNetworkLogo && t('shell.powered')}
        </p>
      </div>
    </footer>
  )
}

/** mailto only for what is an address; a web address is a link, anything else is text. */
function SupportEmail({ href, display }: { href: string; display: string }) {
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(href)) return <a href={`mailto:${href}`}>{display}</a>
  if (/^https?:\/\//.test(href)) return <a href={href}>{display}</a>
  return <span>{display}</span>
}
