import { Link } from '../../../platform/browser/router/Link.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { pageWindow } from '../../../ui/page-window.ts'
import styles from './PageLinks.module.css'

interface Props {
  pageNo: number
  totalPages: number
  toPage: (pageNo: number) => string
}

/** Links to the pages of a list: the neighbors of this one, the first and the last. */
export function PageLinks({ pageNo, totalPages, toPage }: Props) {
  const t = useCopy()
  if (totalPages < 2) return null
  const numbers = [...new Set([1, ...pageWindow(pageNo, totalPages), totalPages])]
  return (
    <nav className={styles.pages} aria-label={t('search.pages')}>
      {pageNo > 1 && (
        <Link to={toPage(pageNo - 1)} rel="prev">
          {t('search.previous')}
        </Link>
      )}
      {numbers.map((number) => (
        <Link
          key={number}
          to={toPage(number)}
          aria-label={t('cities.page', { page: number })}
          aria-current={number === pageNo ? 'page' : undefined}
        >
          {number}
        </Link>
      ))}
      {pageNo < totalPages && (
        <Link to={toPage(pageNo + 1)} rel="next">
          {t('search.next')}
        </Link>
      )}
    </nav>
  )
}
