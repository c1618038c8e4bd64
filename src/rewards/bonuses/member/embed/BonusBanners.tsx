import { useState } from 'react'
import type { Member } from '../../../../identity/members/contract.ts'
import { useApi } from '../../../../platform/browser/query.ts'
import { redirectOn401 } from '../../../../platform/browser/redirects.ts'
import { getItem, setItem } from '../../../../platform/browser/storage.ts'
import { storageKeys } from '../../../../platform/browser/storage-keys.ts'
import { useHydrated } from '../../../../platform/browser/use-hydrated.ts'
import { OfferCards, useOffers } from '../../../../programs/content/member/embed/OfferCards.tsx'
import { useCopy, useFill } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../../../ui/Button.tsx'
import { FormBanner } from '../../../../ui/FormBanner.tsx'
import { useToasts } from '../../../../ui/Toasts.tsx'
import { registerBonus } from '../../contract.ts'
import { mergeBonuses, sortBanners, storedForMs } from '../../rules.ts'
import styles from './BonusBanners.module.css'

const keyOf = (code: string) => `${storageKeys.bonus}${code}` as const

/** The member's available and activated bonuses. */
export function BonusBanners({ member }: { member: Member }) {
  const t = useCopy()
  const fill = useFill()
  const api = useApi()
  const toasts = useToasts()
  const { config, nativeApp } = useProgram()
  const offers = useOffers('bonus')
  const stored = useStoredCodes(offers.map(({ code }) => code))
  const [busy, setBusy] = useState<string | null>(null)
  const [failed, setFailed] = useState(false)
  const now = new Date()
  const bonuses = mergeBonuses(member, { injected: config.injectedBonuses, stored: stored.codes, now })
  const { available, activated } = sortBanners(offers, bonuses, now)

  async function activate(code: string) {
    setBusy(code)
    setFailed(false)
    try {
      if ((await api.call(registerBonus, { params: { code } })) === true) {
        stored.store(code)
        toasts.show({ kind: 'success', message: t('bonuses.done') })
      } else setFailed(true)
    } catch (error) {
      if (!redirectOn401(error)) setFailed(true)
    } finally {
      setBusy(null)
    }
  }

  return (
    <>
      {failed && <FormBanner type="error" title={t('form.error_title')} message={t('bonuses.failed')} />}
      {available.length > 0 && (
        <section className={styles.section}>
          <h3>{t('bonuses.available')}</h3>
          <OfferCards
            offers={available}
            level={4}
            button={({ code, appOnly, appText }, item) =>
              appOnly && !nativeApp ? (
                <p className={styles.app}>{fill(appText)}</p>
              ) : (
                <p>
                  <Button
                    type="button"
                    busy={busy === code ? t('bonuses.activating') : false}
                    onClick={() => activate(code)}
                  >
                    {fill(item.desktop)}
                  </Button>
                </p>
              )
            }
          />
        </section>
      )}
      {activated.length > 0 && (
        <section className={styles.section}>
          <h3>{t('bonuses.activated')}</h3>
          <OfferCards offers={activated} level={4} button={() => null} />
        </section>
      )}
    </>
  )
}

/** Codes activated in this browser within `storedForMs`: the member's record may not contain them yet. */
function useStoredCodes(codes: readonly string[]): { codes: ReadonlySet<string>; store: (code: string) => void } {
  const inBrowser = useHydrated()
  const [added, setAdded] = useState<readonly string[]>([])
  const known = inBrowser ? codes.filter((code) => Date.now() - Number(getItem(keyOf(code))) < storedForMs) : []
  return {
    codes: new Set([...known, ...added]),
    store(code) {
      setItem(keyOf(code), String(Date.now()))
      setAdded((before) => [...before, code])
    },
  }
}
