import { useState } from 'react'
import type { Member } from '../../../../identity/members/contract.ts'
import { getItem, setItem } from '../../../../platform/browser/storage.ts'
import { storageKeys } from '../../../../platform/browser/storage-keys.ts'
import { useHydrated } from '../../../../platform/browser/use-hydrated.ts'
import { OfferCards, useOffers } from '../../../../programs/content/member/embed/OfferCards.tsx'
import { useApiMutation } from '../../../../programs/content/member/embed/use-api-mutation.ts'
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
  const toasts = useToasts()
  const { config, nativeApp } = useProgram()
  const offers = useOffers('bonus')
  const stored = useStoredCodes(
    member.publicId,
    offers.map(({ code }) => code),
  )
  const now = new Date()
  const bonuses = mergeBonuses(member, {
    injected: config.injectedBonuses,
    stored: stored.codes,
    now,
    timeZone: config.timeZone,
  })
  const { available, activated } = sortBanners(offers, bonuses, now)

  const {
    run,
    pending,
    problem: failed,
  } = useApiMutation(
    async (send, code: string) => {
      // Any other result has activated nothing.
      if ((await send(registerBonus, { params: { code } })) !== true) throw new Error(`no bonus ${code}`)
    },
    {
      queued: true,
      failureText: () => t('bonuses.failed'),
      onSuccess(_result, code) {
        stored.store(code)
        toasts.show({ kind: 'success', message: t('bonuses.done') })
      },
    },
  )

  return (
    <>
      {failed && <FormBanner type="error" title={t('form.error_title')} message={failed} />}
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
                    busy={pending === code ? t('bonuses.activating') : false}
                    onClick={() => run(code)}
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

/** Codes that the member has activated in this browser within `storedForMs`: the record may not contain them yet. */
function useStoredCodes(
  memberId: string,
  codes: readonly string[],
): { codes: ReadonlySet<string>; store: (code: string) => void } {
  const inBrowser = useHydrated()
  const [added, setAdded] = useState<readonly string[]>([])
  const isKnown = (code: string) => {
    const [owner, time] = getItem(keyOf(code))?.split(' ') ?? []
    return owner === memberId && Date.now() - Number(time) < storedForMs
  }
  const known = inBrowser ? codes.filter(isKnown) : []
  return {
    codes: new Set([...known, ...added]),
    store(code) {
      setItem(keyOf(code), `${memberId} ${Date.now()}`)
      setAdded((before) => [...before, code])
    },
  }
}
