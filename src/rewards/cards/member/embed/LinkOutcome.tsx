import { type ReactNode, useEffect, useRef } from 'react'
import { type Copy, useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { FormBanner } from '../../../../ui/FormBanner.tsx'
import type { Outcome } from './use-link-cards.ts'

/** The result of linking, card by card. It receives the focus. */
export function LinkOutcome({ outcome, children }: { outcome: Outcome; children?: ReactNode }) {
  const t = useCopy()
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another outcome takes the focus again
  useEffect(() => place.current?.focus(), [outcome])
  const { linked } = outcome
  const requested = outcome.failed.filter(isRequested)
  const failed = outcome.failed.filter((card) => !isRequested(card))
  return (
    <div ref={place} tabIndex={-1}>
      {requested.map(({ memberCard: { lastFour, partnerCardId } }) => (
        <FormBanner
          key={`${partnerCardId} ${lastFour}`}
          type="success"
          title={t('cards.requested_title', { lastFour })}
          message={t('cards.requested')}
        />
      ))}
      {linked.length + failed.length === 0 ? null : failed.length === 0 ? (
        <FormBanner
          type="success"
          title={successText(t, outcome)}
          {...(linked.length > 1 && { list: linkedTexts(t, linked).map((text) => ({ text })) })}
        >
          {children}
        </FormBanner>
      ) : (
        <FormBanner
          type={linked.length > 0 ? 'warning' : 'error'}
          title={t(linked.length > 0 ? 'cards.some_linked' : 'cards.none_linked')}
          list={[...linkedTexts(t, linked), ...failedTexts(t, failed)].map((text) => ({ text }))}
        >
          {linked.length > 0 && children}
        </FormBanner>
      )}
    </div>
  )
}

export function successText(t: Copy, { linked }: Pick<Outcome, 'linked'>): string {
  const [only] = linked
  return linked.length === 1 && only
    ? t('cards.all_linked', { lastFour: only.lastFour })
    : t('cards.all_linked_many', { count: linked.length })
}

const isRequested = ({ error }: Outcome['failed'][number]) => error?.code === 'MOVE_REQUESTED'

function linkedTexts(t: Copy, linked: Outcome['linked']): string[] {
  return linked.map(({ description, lastFour }) => t('cards.linked_card', { description, lastFour }))
}

function failedTexts(t: Copy, failed: Outcome['failed']): string[] {
  return failed.map(({ memberCard: { description, lastFour }, error }) =>
    t('cards.failed_card', { description, lastFour, code: error?.code ?? '', message: error?.message ?? '' }),
  )
}
