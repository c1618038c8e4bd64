import { Link } from '../../../platform/browser/router/Link.tsx'
import { usePassedState, useSearchParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import action from '../../../ui/Action.module.css'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import formPage from '../../../ui/FormPage.module.css'
import { returnPathIn, withReturn } from '../../session/sso/return-path.ts'

interface Passed {
  isDone: boolean
  removedPasskeys: number
  linkedCards: number
}

/**
 * The last stage: a link to sign in with the new password, since a reset signs no one in. Reachable only from the
 * previous stage.
 */
export function Page() {
  const t = useCopy()
  const { isDone: done, removedPasskeys = 0, linkedCards = 0 } = usePassedState<Passed>()
  const isDone = done === true
  const returnTo = returnPathIn(useSearchParams())
  const title = t(isDone ? 'recovery.success_title' : 'recovery.success_none_title')
  const signIn = (
    <Link className={action.action} to={withReturn('/login', returnTo)}>
      {t('recovery.sign_in')}
    </Link>
  )
  return (
    <div className={formPage.page}>
      <Meta title={title} />
      {isDone ? (
        <>
          <h1>{title}</h1>
          <p>{t('recovery.success_lead')}</p>
          {removedPasskeys > 0 && <p>{t('recovery.success_passkeys', { count: removedPasskeys })}</p>}
          {linkedCards > 0 && <p>{t('recovery.success_cards', { count: linkedCards })}</p>}
          <p className={formPage.after}>{signIn}</p>
        </>
      ) : (
        <>
          <EmptyState level={1} title={title} tagline={t('recovery.success_none')} action={signIn} />
          <p className={formPage.after}>
            <Link to={withReturn('/recover', returnTo)}>{t('recovery.send')}</Link>
          </p>
        </>
      )}
    </div>
  )
}
