import { Link } from 'react-router'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import action from '../../ui/Action.module.css'
import formPage from '../../ui/FormPage.module.css'

/** The last stage: signing in with the new password, which nobody does for the member. */
export function Page() {
  const t = useCopy()
  return (
    <div className={formPage.page}>
      <Meta title={t('recovery.success_title')} />
      <h1>{t('recovery.success_title')}</h1>
      <p>{t('recovery.success_lead')}</p>
      <p className={formPage.after}>
        <Link className={action.action} to="/login">
          {t('recovery.sign_in')}
        </Link>
      </p>
    </div>
  )
}
