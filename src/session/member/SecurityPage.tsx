import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { ask, type PageArgs } from '../../kit/web/query.ts'
import { orSignIn } from '../../kit/web/redirects.ts'
import { ChangePassword } from '../../members/member/embed/ChangePassword.tsx'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { listSessions } from '../contract.ts'
import { listPasskeys } from '../passkeys/contract.ts'
import { OwnSessions } from './OwnSessions.tsx'
import { Passkeys } from './Passkeys.tsx'
import styles from './SecurityPage.module.css'

export async function load({ api, cache, url }: PageArgs): Promise<void> {
  await orSignIn(
    Promise.all([
      cache.fetchQuery({ ...ask(api, listSessions, {}), staleTime: 0 }),
      cache.ensureQueryData(ask(api, listPasskeys, {})),
    ]),
    url,
  )
}

/** Sign-in methods and sessions of the member. */
export function Page() {
  const t = useCopy()
  const { config } = useProgram()
  return (
    <>
      <Meta title={t('security.title')} />
      <h2>{t('security.title')}</h2>
      <OwnSessions />
      {config.enrollmentType === 'direct' && (
        <>
          <Passkeys />
          <section className={styles.part}>
            <h3>{t('security.password')}</h3>
            <p>{t('security.password_change')}</p>
            <ChangePassword />
          </section>
        </>
      )}
    </>
  )
}
