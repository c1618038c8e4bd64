import styles from './Pagination.module.css'
import { pageWindow } from './page-window.ts'

interface Props {
  page: number
  totalPages: number
  label: string
  pageOfText: string
  previousText: string
  nextText: string
  onChange: (page: number) => void
}

export function Pagination({ page, totalPages, label, pageOfText, previousText, nextText, onChange }: Props) {
  return (
    <nav className={styles.pages} aria-label={label}>
      <p>{pageOfText}</p>
      <button type="button" aria-disabled={page <= 1} onClick={() => page > 1 && onChange(page - 1)}>
        {previousText}
      </button>
      {pageWindow(page, totalPages).map((number) => (
        <button
          key={number}
          type="button"
          aria-current={number === page ? 'page' : undefined}
          onClick={() => onChange(number)}
        >
          {number}
        </button>
      ))}
      <button type="button" aria-disabled={page >= totalPages} onClick={() => page < totalPages && onChange(page + 1)}>
        {nextText}
      </button>
    </nav>
  )
}
