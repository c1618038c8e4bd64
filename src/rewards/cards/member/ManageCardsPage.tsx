import { useRef, useState } from 'react'
import { useRefreshMember } from '../../../identity/members/member/embed/use-member.ts'
import { ApiCallError } from '../../../platform/browser/api.ts'
import { apiQuery, apiQueryKey, type PageArgs, useApiSuspenseQuery } from '../../../platform/browser/query.ts'
import { signInOn401 } from '../../../platform/browser/redirects.ts'
import { useLocalTime } from '../../../platform/browser/use-local-time.ts'
import { useQueryCache } from '../../../platform/browser/use-query.ts'
import { useApiMutation } from '../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useFailureText } from '../../../programs/content/member/embed/use-failure-text.ts'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useToasts } from '../../../ui/Toasts.tsx'
import { deleteCard, listCardMoves, listCards, type MemberCard } from '../contract.ts'
import { healthOf } from '../rules.ts'
import { CardBrand } from './CardBrand.tsx'
import { CardForm } from './embed/CardForm.tsx'
import { CardMoves } from './embed/CardMoves.tsx'
import { storeDeletedCardNotice } from './embed/DeletedCardNotice.tsx'
import styles from './ManageCardsPage.module.css'

export async function load({ api, cache, url }: PageArgs): Promise<void> {
  await signInOn401(cache.ensure(apiQuery(api, listCards, {})), url)
}

export function Page() {
  const t = useCopy()
  const cache = useQueryCache()
  const cards = useApiSuspenseQuery(listCards, {})
  const refreshMember = useRefreshMember()
  const heading = useRef<HTMLHeadingElement>(null)
  const [deletions, setDeletions] = useState(0)
  const refresh = async () => {
    await Promise.all([cache.invalidate(apiQueryKey(listCards)), cache.invalidate(apiQueryKey(listCardMoves))])
  }
  const afterDeletion = async () => {
    await refresh()
    // Resets the result of an earlier link.
    setDeletions((count) => count + 1)
    // The row that had the focus is gone.
    if (document.activeElement === document.body) heading.current?.focus()
  }
  const refreshAll = async () => {
    await refresh()
    await refreshMember()
  }
  return (
    <>
      <Meta title={t('account.manage_cards')} />
      <h2 ref={heading} tabIndex={-1}>
        {t('account.manage_cards')}
      </h2>
      <CardMoves />
      <ul className={styles.cards}>
        {cards.map((card) => (
          <CardRow key={card.id} card={card} only={cards.length === 1} onDeleted={afterDeletion} />
        ))}
      </ul>
      <section className={styles.add}>
        <h3>{t('cards.add_title')}</h3>
        <CardForm key={deletions} linked={cards} onLinked={refreshAll} onSomeLinked={refreshAll} />
      </section>
    </>
  )
}

function CardRow({ card, only, onDeleted }: { card: MemberCard; only: boolean; onDeleted: () => Promise<void> }) {
  const t = useCopy()
  const toasts = useToasts()
  const general = useFailureText()
  const [confirming, setConfirming] = useState(false)
  const deletion = useApiMutation(deleteCard, {
    failureText: (error) =>
      hasChanged(error) || codeOf(error) === 'readOnly'
        ? general(error)
        : t('cards.delete_failed', { lastFour: card.lastFour }),
    async onSuccess() {
      if (only) {
        storeDeletedCardNotice(card.lastFour)
        return window.location.assign('/SignOut?reason=closed')
      }
      toasts.show({ kind: 'success', message: t('cards.deleted', { lastFour: card.lastFour }) })
      await onDeleted()
    },
    async onFailure(message, error) {
      toasts.show({ kind: 'error', message })
      if (hasChanged(error)) await onDeleted()
    },
  })

  const isDeleting = deletion.isPending || deletion.data !== undefined

  function remove() {
    setConfirming(false)
    void deletion.run({ query: { id: card.id, closesAccount: only ? 'true' : 'false' } })
  }

  return (
    <li className={styles.card}>
      <CardBrand type={card.cardType} />
      <span className={styles.description}>{card.description}</span>
      <span className={styles.number}>{t('cards.ending_in', { lastFour: card.lastFour })}</span>
      <Health card={card} />
      <span role="status">{isDeleting && t('cards.deleting')}</span>
      {!isDeleting && (
        <Button type="button" variant="quiet" onClick={() => setConfirming(true)}>
          {t(only ? 'cards.delete_and_close' : 'cards.delete')}
          <span className="visually-hidden"> {t('cards.ending_in', { lastFour: card.lastFour })}</span>
        </Button>
      )}
      <Dialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={t('cards.delete_title')}
        closeLabel={t('dialog.close')}
      >
        <p>{t(only ? 'cards.delete_last_question' : 'cards.delete_question', { lastFour: card.lastFour })}</p>
        <div className={styles.choices}>
          <Button type="button" variant="danger" onClick={remove}>
            {t(only ? 'cards.delete_and_close' : 'cards.delete')}
          </Button>
          <Button type="button" variant="quiet" onClick={() => setConfirming(false)}>
            {t('cards.delete_cancel')}
          </Button>
        </div>
      </Dialog>
    </li>
  )
}

const codeOf = (error: unknown) => (error instanceof ApiCallError ? error.code : undefined)
const hasChanged = (error: unknown) => codeOf(error) === 'cardsChanged'

const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** When the card earns, and when it expires. */
function Health({ card }: { card: MemberCard }) {
  const t = useCopy()
  const { timeZone } = useProgram().config
  // As the day on which the member joined: on the program's calendar.
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone })
  const moment = useLocalTime('moment')
  const { expiry, earns } = healthOf(card, new Date())
  return (
    <span className={styles.health}>
      <span>
        {earns
          ? t('cards.earns_since', { date: day.format(new Date(card.earnsFrom)) })
          : t('cards.earns_from', { date: moment(card.earnsFrom) })}
      </span>
      {expiry && (
        <span data-pressing={expiry !== 'cards.expires' || undefined}>
          {t(expiry, { month: month.format(new Date(`${card.expires}-01T00:00:00Z`)) })}
        </span>
      )}
    </span>
  )
}
