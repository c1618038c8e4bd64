import { useEffect, useRef } from 'react'
import { sessionMissing } from '../../../../platform/browser/browser-api.ts'
import { apiQueryKey } from '../../../../platform/browser/query.ts'
import { useLocation } from '../../../../platform/browser/router/RouterProvider.tsx'
import { getItem, setItem } from '../../../../platform/browser/storage.ts'
import { storageKeys } from '../../../../platform/browser/storage-keys.ts'
import { useQueryCache } from '../../../../platform/browser/use-query.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { useToasts } from '../../../../ui/Toasts.tsx'
import { getMember } from '../../../members/contract.ts'
import { isOtherThanMember, useMember } from '../../../members/member/embed/use-member.ts'
import { fullName } from '../../../members/rules.ts'
import { expiredSignOut, signedInCookie } from '../../rules.ts'
import { readSignedOut } from '../../signed-out.ts'
import { sessionEnd } from './session-end.ts'
import { signOutInBackground } from './sign-out.ts'
import { watchSession } from './watch-session.ts'

const memberKey = apiQueryKey(getMember, {})

/** Replaces a page of another member by a new document, which has no data of that one. Until then, nothing is shown. */
function startOver(): void {
  document.body.hidden = true
  window.location.reload()
}

/**
 * Stays on the page after the session, whose end it notices. Refetches the member after each navigation, warns a minute before the session ends, and leaves the page when it has
 * ended or belongs to another member.
 */
export function MemberSession() {
  const t = useCopy()
  const cache = useQueryCache()
  const toasts = useToasts()
  const { apiBase, operator } = useProgram()
  const { pathname } = useLocation()
  const member = useMember()
  const signedIn = member !== null

  // The first page of a document already has the current member.
  const lastPathname = useRef(pathname)
  // Another member has signed in in another tab.
  const memberId = member?.publicId ?? null
  const lastMemberId = useRef(memberId)
  useEffect(() => {
    const before = lastMemberId.current
    lastMemberId.current = memberId
    if (before === null || before === memberId) return
    if (memberId !== null) return startOver()
    // The session is over: nothing of the member stays for the next visitor.
    cache.removeUnused(isOtherThanMember)
    void cache.invalidate(isOtherThanMember)
  }, [cache, memberId])

  // The same, as soon as a page of that tab says so; or that page has found no member, because another tab signed out.
  // An operator sees members without being signed in as one.
  useEffect(() => {
    if (operator !== null || memberId === null) return
    setItem(storageKeys.member, memberId)
    const compare = () => {
      // A sign-out that goes on to the provider opens no page that could say so. It leaves a cookie for the next one.
      const stored = readSignedOut(document.cookie) ? '' : (getItem(storageKeys.member) ?? memberId)
      // Asks the server, because a page of a visitor can be older than the session.
      if (stored === '') void cache.invalidate(memberKey)
      else if (stored !== memberId) startOver()
    }
    // A page that was frozen, or comes from the browser's memory, has received no event.
    const left = new AbortController()
    for (const event of ['storage', 'pageshow', 'focus']) window.addEventListener(event, compare, left)
    const { cookieStore } = window as Partial<Window>
    cookieStore?.addEventListener('change', compare, left)
    return () => left.abort()
  }, [cache, memberId, operator])

  // A provider that knows its customer signs in without a question, or as another one than expected.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per document
  useEffect(() => {
    if (operator !== null || member === null || !document.cookie.split('; ').includes(`${signedInCookie}=1`)) return
    // biome-ignore lint/suspicious/noDocumentCookie: Safari does not have the Cookie Store API yet
    document.cookie = `${signedInCookie}=;path=/;max-age=0`
    const message = t('session.signed_in', { name: fullName(member), email: member.email })
    toasts.show({ id: 'session', kind: 'success', message })
  }, [])

  // The session is over: refetching removes the member from the page, and account pages redirect to the sign-in page.
  useEffect(() => {
    if (!signedIn) return
    const invalidate = (event: Event) => {
      // A member request under way starts again: it may have been sent before the session ended.
      if ((event as CustomEvent<string>).detail !== getMember.path) void cache.invalidate(memberKey)
    }
    window.addEventListener(sessionMissing, invalidate)
    return () => window.removeEventListener(sessionMissing, invalidate)
  }, [cache, signedIn])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a long session can come near its end with a later page
  useEffect(() => {
    const stay = () => void cache.invalidate(memberKey)
    const isOtherPage = lastPathname.current !== pathname
    lastPathname.current = pathname
    if (!signedIn) return
    if (isOtherPage) stay()
    return watchSession({
      readEnd: sessionEnd,
      warn: () => toasts.show({ id: 'session', kind: 'warning', message: t('session.warning'), onSelect: stay }),
      leave: () =>
        void signOutInBackground(apiBase).then(() => window.location.assign(expiredSignOut(window.location))),
    })
  }, [signedIn, pathname])

  return null
}
