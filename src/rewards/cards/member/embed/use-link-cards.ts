import { useBotCheck } from '../../../../identity/bot-check/member/embed/use-bot-check.ts'
import type { SendWrite } from '../../../../platform/browser/write-api.ts'
import type { BodyOf } from '../../../../platform/call.ts'
import { type CardRegistration, linkCards, type PartnerCard } from '../../contract.ts'
import type { FrameCard } from '../../frame-message.ts'
import { useCardSession } from './use-card-session.ts'

/** The member's selection: a card typed into the frame, and partner-loaded cards. */
export interface Chosen {
  typed: FrameCard | null
  partnerCards: readonly PartnerCard[]
}

export interface Outcome {
  linked: readonly CardRegistration['memberCard'][]
  failed: readonly CardRegistration[]
}

/** Returns a function that links the chosen cards. Idempotent: a retry or a second click links nothing more. */
export function useLinkCards(): (send: SendWrite, chosen: Chosen, moveHere: boolean) => Promise<Outcome> {
  const withBotCheck = useBotCheck()
  const session = useCardSession()
  return async (send, chosen, moveHere) => {
    const creditCards = cardsOf(chosen)
    const deviceSession = await session()
    const headers = {
      'idempotency-key': await fingerprintOf(JSON.stringify([creditCards, moveHere])),
      ...(deviceSession !== null && { 'x-card-session': deviceSession }),
    }
    const { cardRegistration } = await withBotCheck(send, (gRecaptchaResponse) => {
      const body = { creditCards, directFileFeedOptIn: true, moveHere, gRecaptchaResponse } as const
      return send(linkCards, { body }, { headers })
    })
    return {
      linked: cardRegistration.filter(({ error }) => !error).map(({ memberCard }) => memberCard),
      failed: cardRegistration.filter(({ error }) => error),
    }
  }
}

function cardsOf({ typed, partnerCards }: Chosen): BodyOf<typeof linkCards>['creditCards'] {
  const chosen = partnerCards.map(({ cardId, lastFour, cardType }) => ({ cardId, lastFour, cardType }))
  if (!typed) return chosen
  const { encryptedCardNumber, lastFour, cardType } = typed
  return [...chosen, { encryptedCardNumber, lastFour, cardType }]
}

async function fingerprintOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
