import Search from 'lucide-react/icons/search'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { useLocation } from '../../../platform/browser/router/RouterProvider.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { ProgramLogo } from '../../../programs/partners/member/embed/ProgramLogo.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { AuthArea } from './AuthArea.tsx'
import { MainMenu } from './MainMenu.tsx'
import styles from './Navbar.module.css'

const enrollmentPaths = new Set(['/join', '/add_card', '/card_added'])

export function Navbar() {
  const t = useCopy()
  const { logo } = useProgram()
  const { pathname } = useLocation()
  const enrolling = enrollmentPaths.has(pathname)
  const onSearch = pathname === '/search'
  return (
    <header className={styles.bar}>
      <div className={styles.inner}>
        {!enrolling && <MainMenu key={pathname} />}
        <Link to="/" className={styles.logo} aria-label={t('shell.home')}>
          <ProgramLogo logo={logo} />
        </Link>
        <div className={styles.end}>
          {!pathname.startsWith('/discover') && (
            <Link
              to="/search"
              className={styles.search}
              aria-label={t('shell.search')}
              aria-disabled={onSearch || undefined}
              onClick={(event) => onSearch && event.preventDefault()}
            >
              <Search aria-hidden="true" size={20} />
            </Link>
          )}
          <AuthArea enrolling={enrolling} />
        </div>
      </div>
    </header>
  )
}
