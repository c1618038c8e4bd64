import { type ReactNode, useCallback, useRef, useState } from 'react'
import { focusShown } from '../../../../platform/browser/focus-shown.ts'
import { useApiQueryOnce } from '../../../../platform/browser/query.ts'
import { NeedsScript } from '../../../../programs/content/member/embed/NeedsScript.tsx'
import { useApiMutation } from '../../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../../../ui/Button.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { FormBanner } from '../../../../ui/FormBanner.tsx'
import { ScriptForm } from '../../../../ui/ScriptForm.tsx'
import { type CardRegistration, listPartnerCards, type MemberCard, type PartnerCard } from '../../contract.ts'
import type { FrameCard, FrameProblem } from '../../frame-message.ts'
import { brandKind, brandList, cardCapacity } from '../../rules.ts'
import styles from './CardForm.module.css'
import { CardFrame, nothingTyped } from './CardFrame.tsx'
import { CardRequests } from './CardRequests.tsx'
import { ConfirmMoveDialog } from './ConfirmMoveDialog.tsx'
import { LinkOutcome } from './LinkOutcome.tsx'
import { PartnerCards } from './PartnerCards.tsx'
import { type Chosen, type Outcome, useLinkCards } from './use-link-cards.ts'

interface Props {
  /** Linked cards: they count toward the maximum and are not offered again. */
  linked?: readonly MemberCard[]
  /** Called when every submitted card is linked. */
  onLinked: (outcome: Outcome) => Promise<void> | void
  /** Called when only some are linked; the form lists which once the promise is settled. */
  onSomeLinked?: () => Promise<unknown>
  /** The next step when only some are linked. */
  goOn?: ReactNode
  /** An optional cancel link. */
  cancel?: ReactNode
}

interface Attempt {
  cards: Chosen
  moveHere: boolean
  /** The result for cards of the same form that are not sent again. */
  before: Outcome
}

const none: readonly MemberCard[] = []
const nothingYet: Outcome = { linked: [], failed: [] }

/** Form for linking cards: partner-loaded cards, one typed into the vault's frame, the consent, and the result. */
export function CardForm({ linked = none, onLinked, onSomeLinked, goOn, cancel }: Props) {
  const t = useCopy()
  const { config } = useProgram()
  const link = useLinkCards()
  const [done, setDone] = useState<readonly LinkedCard[]>([])
  const partner = usePartnerCards(linked, done)
  const [typed, setTyped] = useState<FrameCard | null>(null)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [agreed, setAgreed] = useState(false)
  const consent = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState(nothingTyped)
  const [checks, setChecks] = useState(0)
  const [attempt, setAttempt] = useState(1)
  const [problems, setProblems] = useState<readonly string[]>([])
  const [lacksConsent, setLacksConsent] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [confirming, setConfirming] = useState<{ outcome: Outcome; send: () => void } | null>(null)
  const { run, isPending } = useApiMutation((send, { cards, moveHere }: Attempt) => link(send, cards, moveHere), {
    async onSuccess({ linked: now, failed }, { cards, before }) {
      const result = { linked: [...before.linked, ...now], failed: [...before.failed, ...failed] }
      const again = onlyElsewhere(cards, result)
      if (!again) return await finish(result)
      const others = result.failed.filter((card) => !isElsewhere(card))
      const next = { cards: again, moveHere: true, before: { linked: result.linked, failed: others } }
      setConfirming({ outcome: result, send: () => send(next) })
    },
    onFailure: (text) => setProblems([text]),
  })
  const takeCard = useCallback((sealed: FrameCard | null, wrong: readonly FrameProblem[]) => {
    setTyped(sealed)
    setWrong(wrong)
    if (!sealed) return
    // The next card has been started: clear the last result. The frame reports only on the card, not on the consent.
    setOutcome(null)
    setProblems([])
  }, [])

  const chosen = partner.cards.filter(({ cardId }) => ticked.has(cardId))
  const maximum = config.maximumCards
  const places = cardCapacity({ maximum, linked: linked.length, chosen: chosen.length, typed: typed !== null })
  const nothing = places.taken === 0

  function submit(event: React.FormEvent) {
    event.preventDefault()
    if (isPending) return
    setLacksConsent(!agreed)
    if (nothing) return cardMissing()
    if (places.isOver) return setProblems([t('cards.over_limit', overLimit(places))])
    if (!agreed) {
      setProblems([])
      return focusShown(consent.current)
    }
    send({ cards: { typed, partnerCards: chosen }, moveHere: false, before: nothingYet })
  }

  function cardMissing() {
    setChecks(checks + 1)
    setProblems(wrong.map((each) => t(`cards.${each === 'missing' ? 'number_missing' : `${each}_wrong`}`)))
  }

  function send(attempt: Attempt) {
    setProblems([])
    setConfirming(null)
    void run(attempt)
  }

  async function finish(result: Outcome) {
    setConfirming(null)
    // A sealed card is valid for one attempt: the next needs a new frame.
    setTyped(null)
    setTicked(new Set())
    setAttempt((count) => count + 1)
    setAgreed(false)
    setOutcome(result)
    setDone((before) => [...before, ...result.linked])
    if (result.failed.length === 0) await onLinked(result)
    // The result is shown also when the page could not be refreshed.
    else if (result.linked.length > 0) await onSomeLinked?.().catch(() => {})
  }

  const summary = [
    ...problems.map((text) => ({ text })),
    ...(lacksConsent ? [{ text: t('cards.terms_missing'), control: consent.current?.id }] : []),
  ]
  const result = outcome && !isPending && problems.length === 0 && !lacksConsent && (
    <LinkOutcome outcome={outcome}>{goOn}</LinkOutcome>
  )
  // The maximum is reached, possibly by cards linked just now: their result stays.
  if (linked.length >= maximum && !isPending && confirming === null) {
    return (
      <div className={styles.form}>
        {result}
        <FormBanner type="warning" title={t('cards.maximum_title')} message={t('cards.maximum', { count: maximum })} />
      </div>
    )
  }

  return (
    <ScriptForm onSubmit={submit} className={styles.form}>
      <NeedsScript />
      {result || <CardRequests />}
      {problems.length > 0 && (
        <FormBanner
          type="error"
          title={t('form.error_title')}
          {...(summary.length > 1
            ? { message: t('form.check_fields'), list: summary }
            : { message: problems[0] as string })}
        />
      )}
      {partner.cards.length > 0 && (
        <>
          <PartnerCards cards={partner.cards} chosen={ticked} isFull={places.isFull} onChange={setTicked} />
          {places.isFull && (
            <FormBanner type="warning" title={t('cards.limit_title')} message={t('cards.limit', { count: maximum })} />
          )}
          <p className={styles.own}>{t('cards.own_card')}</p>
        </>
      )}
      {/* It explains the asterisks of the frame too. */}
      <p className={styles.note} role="status">
        {partner.isError && t('cards.partner_cards_failed')} {t('form.required_note')}
      </p>
      {/* The text is in the space of the frame: as a line of its own it would move the form when it goes. */}
      <CardFrame
        key={attempt}
        attempt={attempt}
        checks={checks}
        wait={partner.isLoading ? t('cards.loading_partner_cards') : undefined}
        onCard={takeCard}
      />
      <p className={styles.note}>{t('cards.supported', { brands: brandList(config.cardTypesAccepted, 'and') })}</p>
      {config.statusCopy === 'fuel' && <p className={styles.note}>{t('cards.debit_note')}</p>}
      <CheckboxField
        ref={consent}
        label={t('cards.file_feed_consent')}
        required
        requiredText={t('form.required_reader')}
        checked={agreed}
        onChange={(event) => {
          setAgreed(event.target.checked)
          setLacksConsent(false)
        }}
        error={lacksConsent ? t('cards.terms_missing') : undefined}
      />
      <div className={styles.choices}>
        <Button
          type="submit"
          busy={isPending ? t('cards.do_not_refresh') : false}
          aria-disabled={nothing || places.isOver}
        >
          {t('cards.submit')}
        </Button>
        {cancel}
      </div>
      <p className={styles.note}>{t('cards.vault_note')}</p>
      <ConfirmMoveDialog
        cards={confirming?.outcome.failed.filter(isElsewhere) ?? []}
        onMove={() => confirming?.send()}
        onLeave={() => confirming && void finish(confirming.outcome)}
      />
    </ScriptForm>
  )
}

const overLimit = (limit: { remaining: number; taken: number }) => ({ chosen: limit.taken, room: limit.remaining })

const isElsewhere = ({ error }: CardRegistration) => error?.code === 'LINKED_ELSEWHERE'

// Cards linked at the first attempt stay linked: only those that earn elsewhere are sent again, after confirmation.
function onlyElsewhere({ typed, partnerCards }: Chosen, { failed }: Outcome): Chosen | null {
  const digits = new Set(failed.filter(isElsewhere).map(({ memberCard }) => memberCard.lastFour))
  if (digits.size === 0) return null
  return {
    typed: typed && digits.has(typed.lastFour) ? typed : null,
    partnerCards: partnerCards.filter(({ lastFour }) => digits.has(lastFour)),
  }
}

type LinkedCard = Outcome['linked'][number]

const isSame = (linked: LinkedCard, { cardType, lastFour }: PartnerCard) =>
  linked.lastFour === lastFour && linked.cardType === brandKind(cardType)

/** Queries partner-loaded cards once per page load; if that fails, a card can still be typed. */
function usePartnerCards(
  linked: readonly MemberCard[],
  done: readonly LinkedCard[],
): { cards: readonly PartnerCard[]; isLoading: boolean; isError: boolean } {
  const { config } = useProgram()
  const response = useApiQueryOnce(listPartnerCards, {}, { enabled: config.hasPartnerLoadedCards })
  const own = new Set(linked.map(({ partnerCardId }) => partnerCardId))
  return {
    // A card typed just now has no partner id: it is matched by brand and last four digits.
    cards: (response.data ?? []).filter(
      (card) => !own.has(card.partnerCardId) && !done.some((each) => isSame(each, card)),
    ),
    isLoading: config.hasPartnerLoadedCards && response.isPending,
    isError: response.isError,
  }
}
