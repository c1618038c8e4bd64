import { Outlet } from 'react-router'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { accountLinks } from '../../shell/member/embed/links.ts'
import { NavTabs } from '../../ui/NavTabs.tsx'
import styles from './AccountLayout.module.css'
import { LinkGroups } from './LinkGroups.tsx'

/** The account pages under one heading. */
export function AccountLayout() {
  const t = useCopy()
  const { config } = useProgram()
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{t('shell.account')}</h1>
      <NavTabs label={t('account.nav')} items={accountLinks(config).map(({ href, key }) => ({ href, text: t(key) }))} />
      <div className={styles.content}>
        <Outlet />
      </div>
      <LinkGroups />
    </div>
  )
}
