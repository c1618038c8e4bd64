import { useApiQuery } from '../../../../platform/browser/query.ts'
import { Link } from '../../../../platform/browser/router/Link.tsx'
import { useNavigate } from '../../../../platform/browser/router/RouterProvider.tsx'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { Meta } from '../../../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { listCardMoves } from '../../../../rewards/cards/contract.ts'
import { CardForm } from '../../../../rewards/cards/member/embed/CardForm.tsx'
import { CardMoves } from '../../../../rewards/cards/member/embed/CardMoves.tsx'
import { FormBanner } from '../../../../ui/FormBanner.tsx'
import { useToasts } from '../../../../ui/Toasts.tsx'
import { useRefreshMember } from '../../../members/member/embed/use-member.ts'
import styles from './ReEnroll.module.css'

const legalPages = [
  { path: '/terms', key: 'reenroll.terms' },
  { path: '/privacy', key: 'reenroll.privacy' },
]

/** Shown to a member without any card: link a card again, or leave. */
export function ReEnroll() {
  const t = useCopy()
  const toasts = useToasts()
  const refreshMember = useRefreshMember()
  const navigate = useNavigate()
  const { extraPaths } = useProgram().config
  const moves = useApiQuery(listCardMoves, {}, { staleTime: 0 })
  const moved = moves.data?.some(({ direction }) => direction === 'away') ?? false
  return (
    <div className={styles.page}>
      <Meta path="/reenroll" title={t('reenroll.title')} />
      <h1>{t('reenroll.title')}</h1>
      <FormBanner type="warning" title={t(moved ? 'reenroll.moved' : 'reenroll.deleted')} message={t('reenroll.add')} />
      <CardMoves />
      <CardForm
        goOn={<Link to="/account/overview">{t('cards.continue')}</Link>}
        onSomeLinked={refreshMember}
        onLinked={async ({ linked }) => {
          const lastFour = linked[0]?.lastFour ?? ''
          toasts.show({ kind: 'success', message: t('reenroll.linked', { lastFour }) })
          await refreshMember()
          navigate('/account/overview')
        }}
        cancel={<a href="/SignOut">{t('reenroll.later')}</a>}
      />
      <p className={styles.pages}>
        {legalPages
          .filter(({ path }) => extraPaths.includes(path))
          .map(({ path, key }) => (
            <Link key={path} to={path}>
              {t(key)}
            </Link>
          ))}
      </p>
    </div>
  )
}
