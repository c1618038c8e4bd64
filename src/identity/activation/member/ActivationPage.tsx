import { ApiCallError } from '../../../platform/browser/api.ts'
import { apiQueryKey, type PageArgs, useApiQuery } from '../../../platform/browser/query.ts'
import { Link, Navigate } from '../../../platform/browser/router/Link.tsx'
import { useLocation, useNavigate } from '../../../platform/browser/router/RouterProvider.tsx'
import { PageNotFound } from '../../../platform/browser/router/redirect.ts'
import { useQueryCache } from '../../../platform/browser/use-query.ts'
import { publicIdPattern } from '../../../platform/public-id.ts'
import { ContentView } from '../../../programs/content/member/embed/ContentView.tsx'
import { NotFound } from '../../../programs/content/member/embed/NotFound.tsx'
import { useApiMutation } from '../../../programs/content/member/embed/use-api-mutation.ts'
import { prefetchContent, useEntries } from '../../../programs/content/member/embed/use-content.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { useToasts } from '../../../ui/Toasts.tsx'
import { getKnownMember } from '../../members/contract.ts'
import { returnPathIn, withReturn } from '../../session/sso/return-path.ts'
import { activate } from '../contract.ts'
import { stepOf } from '../rules.ts'
import styles from './ActivationPage.module.css'

const isStage = (pathname: string) => /^\/activate\/?(activated)?$/.test(pathname)

export async function load(args: PageArgs): Promise<void> {
  const { pathname, searchParams } = args.url
  // Without an id there is nothing to activate at any path: the page redirects to joining.
  if (searchParams.has('publicId') && !isStage(pathname)) throw new PageNotFound()
  await prefetchContent(args, ['tier_1_activation'])
}

/** Activates an account that the partner created. */
export function Page() {
  const t = useCopy()
  const { search, state } = useLocation()
  const publicId = new URLSearchParams(search).get('publicId')
  const valid = publicIdPattern.test(publicId ?? '')
  const lookup = useApiQuery(getKnownMember, { params: { publicId: publicId ?? '' } }, { enabled: valid })
  const failed = (publicId !== null && !valid) || lookup.isError
  const step = stepOf({
    publicId,
    known: failed ? null : lookup.data,
    returnTo: returnPathIn(new URLSearchParams(search)),
    justActivated: (state as { activated?: boolean } | null)?.activated === true,
  })
  if (step === undefined) {
    return (
      <div className={styles.waiting}>
        <Spinner label={t('activation.loading')} />
        <p aria-hidden="true">{t('activation.loading')}</p>
      </div>
    )
  }
  if ('to' in step) return <Navigate to={step.to} />
  return <Stage name={step.stage} publicId={publicId ?? ''} token={lookup.data?.token ?? ''} />
}

function Stage({ name, publicId, token }: { name: 'activation' | 'activated'; publicId: string; token: string }) {
  const t = useCopy()
  const cache = useQueryCache()
  const toasts = useToasts()
  const navigate = useNavigate()
  const { search } = useLocation()
  const { config } = useProgram()
  const returnTo = returnPathIn(new URLSearchParams(search))
  const entry = useEntries('tier_1_activation').find(({ fields }) => fields.stage === name)
  const activation = useApiMutation(
    (send) => send(activate, { body: { publicId } }, { headers: { authorization: `Bearer ${token}` } }),
    {
      failureText(error) {
        const reason = error instanceof ApiCallError && error.code === 'activationRejected' ? `${error.title} ` : ''
        return `${reason}${t('activation.failed')} ${config.customerSupport.phone.formatted}`
      },
      async onSuccess() {
        await navigate(`/activate/activated${search}`, { replace: true, state: { activated: true } })
        // Not before: the page would find an account without anything to activate.
        cache.remove(apiQueryKey(getKnownMember))
      },
      onFailure: (message) => toasts.show({ id: 'activation', kind: 'error', message }),
    },
  )
  if (!entry) return <NotFound />
  const actions = { activate: () => void activation.run() }
  return (
    <>
      <ContentView fields={entry.fields} actions={actions} busy={activation.isPending ? t('form.busy') : false} />
      {/* An account that the partner has opened has no password, and signing in would lead nowhere. */}
      {name === 'activated' && config.enrollmentType === 'direct' && (
        <p className={styles.next}>
          <span>{t('activation.no_password')}</span>
          <Link to={withReturn('/recover', returnTo)}>{t('join.invited_action')}</Link>
        </p>
      )}
      {name === 'activated' && returnTo && (
        <p className={styles.next}>
          <Link to={returnTo}>{t('card_added.return')}</Link>
        </p>
      )}
    </>
  )
}
