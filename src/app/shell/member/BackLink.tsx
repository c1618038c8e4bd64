import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useLocation, useNavigate } from '../../../platform/browser/router/RouterProvider.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import styles from './BackLink.module.css'

/** "Back" below a restaurant or an account page: to the previous page, or to the search or home page. */
export function BackLink() {
  const t = useCopy()
  const navigate = useNavigate()
  const { pathname, index } = useLocation()
  if (!pathname.includes('/merchants/') && !pathname.includes('/account/')) return null
  const home = pathname.includes('/merchants/') ? '/search' : '/'
  // The first page of a visit has no previous page of this site.
  const back = () => (index === 0 ? navigate(home) : navigate(-1))
  return (
    <div className={styles.container}>
      <div className={styles.bar}>
        <button type="button" className={styles.back} onClick={back}>
          <ArrowLeft aria-hidden="true" size={18} />
          {t('shell.back')}
        </button>
      </div>
    </div>
  )
}
