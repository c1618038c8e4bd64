import { Link } from '../../../platform/browser/router/Link.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import styles from './Breadcrumbs.module.css'
import { JsonLd } from './JsonLd.tsx'
import { breadcrumbList } from './structured-data.ts'

export interface Crumb {
  name: string
  path: string
}

/** The pages above this one, from the list of cities on; the last crumb is this page. */
export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  const t = useCopy()
  const { origin } = useProgram()
  const all = [{ name: t('cities.crumb'), path: '/restaurants' }, ...crumbs]
  return (
    <nav className={styles.crumbs} aria-label={t('cities.breadcrumbs')}>
      <ol>
        {all.map(({ name, path }, index) => (
          <li key={path}>
            {index === all.length - 1 ? <span aria-current="page">{name}</span> : <Link to={path}>{name}</Link>}
          </li>
        ))}
      </ol>
      <JsonLd data={import.meta.env?.SSR ? breadcrumbList(all, origin) : null} />
    </nav>
  )
}
