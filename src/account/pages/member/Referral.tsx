import { useRef } from 'react'
import type { Member } from '../../../identity/members/contract.ts'
import { useHydrated } from '../../../platform/browser/use-hydrated.ts'
import { Html } from '../../../programs/content/member/embed/Html.tsx'
import { useEntries } from '../../../programs/content/member/embed/use-content.ts'
import { useCopy, useFill } from '../../../programs/content/member/embed/use-copy.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useToasts } from '../../../ui/Toasts.tsx'
import styles from './Referral.module.css'

/** A referral link, when the program's content enables it. It contains a separate code instead of the member's id. */
export function Referral({ member }: { member: Member }) {
  const t = useCopy()
  const fill = useFill()
  const toasts = useToasts()
  const field = useRef<HTMLInputElement>(null)
  const inBrowser = useHydrated()
  const copy = useEntries('account_center')[0]?.fields.referral_link
  if (!copy?.is_enabled) return null
  const query = new URLSearchParams({
    utm_source: 'account_overview',
    utm_medium: 'web',
    utm_campaign: 'referral',
    referrer: member.referralCode,
  })
  const link = `${inBrowser ? location.origin : ''}/join?${query}`
  async function share() {
    field.current?.select()
    try {
      await navigator.clipboard.writeText(link)
      toasts.show({ id: 'referral', kind: 'success', message: t('overview.referral_copied') })
    } catch {
      // The link is selected, so that it can be copied by hand when the browser denies clipboard access.
    }
  }
  return (
    <section className={styles.box}>
      <h3>{fill(copy.title)}</h3>
      <Html text={copy.description} />
      <div className={styles.row}>
        <TextField ref={field} label={t('overview.referral_link')} readOnly value={link} onClick={share} />
        <Button type="button" onClick={share}>
          {t('overview.referral_copy')}
        </Button>
      </div>
    </section>
  )
}
