import { useEffect } from 'react'
import { takeStored } from '../../../../platform/browser/next-document.ts'
import { unsavedKey } from '../../../../platform/browser/redirects.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { useToasts } from '../../../../ui/Toasts.tsx'
import { readSignedOut, signedOutCookie } from '../../signed-out.ts'
import { withReturn } from '../../sso/return-path.ts'

/** Shows after a sign-out that the member was signed out, and why, or that a change was not saved. */
export function SignedOutNotice() {
  const t = useCopy()
  const toasts = useToasts()
  const { enrollmentType } = useProgram().config
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per document
  useEffect(() => {
    if (takeStored(unsavedKey))
      toasts.show({ id: 'session', kind: 'warning', message: t('session.signed_out_unsaved') })
    const found = readSignedOut(document.cookie)
    if (!found) return
    // biome-ignore lint/suspicious/noDocumentCookie: Safari does not have the Cookie Store API yet
    document.cookie = `${signedOutCookie}=;path=/;max-age=0`
    const { reason, from } = found
    const signIn = withReturn(enrollmentType === 'sso' ? '/Login' : '/login', from)
    toasts.show({
      id: 'session',
      kind: reason === 'left' ? 'success' : 'warning',
      message: t(`session.signed_out_${reason}`),
      ...(reason === 'expired' && { onSelect: () => window.location.assign(signIn) }),
    })
  }, [])
  return null
}
