import ChevronDown from 'lucide-react/icons/chevron-down'
import { useRef } from 'react'
import type { Member } from '../../../identity/members/contract.ts'
import { useMember } from '../../../identity/members/member/embed/use-member.ts'
import { typedEmail } from '../../../identity/session/member/embed/typed-email.ts'
import { withReturn } from '../../../identity/session/sso/return-path.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { firstCharacters } from '../../../platform/text.ts'
import { accountLinks, joinTarget } from '../../../programs/content/member/embed/links.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import styles from './AuthArea.module.css'
import { useReturnPath } from './use-return-path.ts'

/** The right end of the navbar: the member menu, or sign-in and enrollment links. */
export function AuthArea({ enrolling }: { enrolling: boolean }) {
  const { config } = useProgram()
  const member = useMember()
  if (config.enrollmentType === 'none') return null
  // With single sign-on, enrollment starts with sign-in: a visitor has no session to sign out of yet.
  if (enrolling && (member || config.enrollmentType === 'direct')) return <EnrollmentArea />
  if (member?.memberType === 'EnrolledCardMember') return <MemberMenu member={member} />
  return <VisitorArea member={member} />
}

function EnrollmentArea() {
  const t = useCopy()
  const { config } = useProgram()
  const member = useMember()
  const returnTo = useReturnPath()
  if (config.enrollmentType === 'sso') {
    return (
      <a className={`${styles.link} ${styles.long}`} href="/SignOut">
        {t('shell.sign_out_program')}
      </a>
    )
  }
  if (member) {
    return (
      <a className={styles.link} href="/SignOut">
        {t('shell.sign_out')}
      </a>
    )
  }
  return (
    <span className={styles.question}>
      <span>{t('shell.already_member')}</span>
      <Link className={styles.link} to={withReturn('/login', returnTo)} state={typedEmail}>
        {t('shell.sign_in')}
      </Link>
    </span>
  )
}

function VisitorArea({ member }: { member: Member | null }) {
  const t = useCopy()
  const { config } = useProgram()
  const returnTo = useReturnPath()
  if (member?.memberType === 'ClosedAccountMember') return <SignOutLink />
  const join = joinTarget(config.enrollmentType, member)
  const joinLabel = t(member ? 'shell.finish_joining' : 'shell.join')
  return (
    <>
      {config.enrollmentType === 'direct' && !member && (
        <Link className={styles.link} to={withReturn('/login', returnTo)} state={typedEmail}>
          {t('shell.sign_in')}
        </Link>
      )}
      {join.document ? (
        <a className={styles.join} href={withReturn(join.href, returnTo)}>
          {joinLabel}
        </a>
      ) : (
        <Link className={styles.join} to={withReturn(join.href, returnTo)} state={typedEmail}>
          {joinLabel}
        </Link>
      )}
      {member && (
        <a className={styles.link} href="/SignOut">
          {t('shell.sign_out')}
        </a>
      )}
    </>
  )
}

function SignOutLink() {
  const t = useCopy()
  return (
    <a className={styles.link} href="/SignOut">
      {t('shell.sign_out')}
    </a>
  )
}

function MemberMenu({ member }: { member: Member }) {
  const t = useCopy()
  const { config } = useProgram()
  const menu = useRef<HTMLDivElement>(null)
  const initials = firstCharacters(member.firstName, 1) + firstCharacters(member.lastName, 1)
  return (
    <>
      <button
        type="button"
        className={styles.member}
        popoverTarget="account-menu"
        aria-label={`${initials}, ${t('shell.account_menu')}`}
      >
        <span aria-hidden="true" className={styles.initials}>
          {initials}
        </span>
        <ChevronDown aria-hidden="true" size={16} />
      </button>
      <div ref={menu} id="account-menu" popover="auto" className={styles.menu}>
        <p className={styles.greeting}>
          <strong>{t('shell.greeting', { firstName: member.firstName, lastName: member.lastName }).trim()}</strong>
          <span>{member.email}</span>
        </p>
        <ul>
          {accountLinks(config).map(({ href, key }) => (
            <li key={href}>
              <Link to={href} onClick={() => menu.current?.hidePopover()}>
                {t(key)}
              </Link>
            </li>
          ))}
          <li>
            <a href="/SignOut">{t('shell.sign_out')}</a>
          </li>
        </ul>
      </div>
    </>
  )
}
