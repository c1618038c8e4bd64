import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { sessionMissing, tokenMissing } from '../../../kit/web/browser-api.ts'
import { keyOf } from '../../../kit/web/query.ts'
import { getMember } from '../../../members/contract.ts'
import { useMember } from '../../../members/member/embed/use-member.ts'
import { useProgram } from '../../../partners/member/embed/use-program.ts'
import { useToasts } from '../../../ui/Toasts.tsx'
import { sessionTimers } from '../../rules.ts'
import { signOutAnyhow } from './sign-out.ts'

/** The end of the session as the readable cookie tells it; for display only. */
function sessionEnd(): number | null {
  const value = /(?:^|; )session_expiry=([^;]+)/.exec(document.cookie)?.[1]
  const time = value ? Date.parse(decodeURIComponent(value)) : Number.NaN
  return Number.isNaN(time) ? null : time
}

/** Leaves a page whose session is over; the next one says so and offers to sign in and come back. */
function leaveExpired(): void {
  const { pathname, search } = window.location
  window.location.assign(`/SignOut?reason=expired&from=${encodeURIComponent(pathname + search)}`)
}

/** Asks who is signed in after each change of page, warns a minute before the session ends, and leaves when it has. */
export function SessionKeeper() {
  const t = useCopy()
  const cache = useQueryClient()
  const toasts = useToasts()
  const { apiBase } = useProgram()
  const { pathname } = useLocation()
  const member = useMember()
  const signedIn = member !== null

  // The server has just said who is signed in on the first page of a document.
  const asked = useRef(pathname)
  useEffect(() => {
    if (asked.current === pathname) return
    asked.current = pathname
    if (signedIn) void cache.invalidateQueries({ queryKey: keyOf(getMember, {}) })
  }, [cache, pathname, signedIn])

  // The session is over: asking again takes the member off the page, and an account page leads to the sign-in page.
  useEffect(() => {
    if (!signedIn) return
    const queryKey = keyOf(getMember, {})
    const forget = () => {
      // The answer about the member is on its way, or is this very one.
      if (cache.isFetching({ queryKey }) === 0) void cache.invalidateQueries({ queryKey })
    }
    window.addEventListener(sessionMissing, forget)
    return () => window.removeEventListener(sessionMissing, forget)
  }, [cache, signedIn])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each fresh answer about the member moved the end
  useEffect(() => {
    const end = signedIn ? sessionEnd() : null
    const timers = end === null ? null : sessionTimers(end, Date.now())
    if (!timers) return
    const stay = () => void cache.invalidateQueries({ queryKey: keyOf(getMember, {}) })
    const warning = setTimeout(
      () => toasts.show({ id: 'session', kind: 'warning', message: t('session.warning'), onSelect: stay }),
      timers.warnIn,
    )
    const ending = setTimeout(() => {
      const now = sessionEnd()
      if (now === null || now <= Date.now()) void signOutAnyhow(apiBase).then(leaveExpired)
    }, timers.endIn)
    return () => {
      clearTimeout(warning)
      clearTimeout(ending)
    }
  }, [member, pathname])

  useEffect(() => {
    const tell = () => toasts.show({ id: 'csrf', kind: 'error', message: t('errors.with_code', { code: 'CSRF-0' }) })
    window.addEventListener(tokenMissing, tell)
    return () => window.removeEventListener(tokenMissing, tell)
  }, [t, toasts])

  return null
}
