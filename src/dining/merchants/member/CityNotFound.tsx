import { Link } from '../../../platform/browser/router/Link.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import action from '../../../ui/Action.module.css'
import { EmptyState } from '../../../ui/EmptyState.tsx'

export function CityNotFound() {
  const t = useCopy()
  return (
    <>
      <Meta path="/not_found" title={t('cities.not_found_title')} />
      <EmptyState
        level={1}
        title={t('cities.not_found_title')}
        tagline={t('cities.not_found_tagline')}
        action={
          <Link className={action.action} to="/restaurants">
            {t('cities.not_found_action')}
          </Link>
        }
      />
    </>
  )
}
