import type { CheckAnswer, CreditOrder, CreditProcessor, SubmitAnswer } from '../../src/rewards/payouts/processor.ts'

/**
 * What happens to a call: both ways work, one is lost, the request arrives only later, the answer is held until the test
 * releases it, or the calling process ends before the answer.
 */
export const fates = ['works', 'requestLost', 'answerLost', 'requestLate', 'answerHeld', 'callerEnds'] as const
export type Fate = (typeof fates)[number]

interface BookedOrder {
  amountCents: number
  state: 'accepted' | 'paid' | 'rejected'
  /** How often it was paid: at most once, if the processor keeps its word. */
  payments: number
}

/** A processor with books of its own, behind a line that loses, delays and repeats what it carries. */
export class LossyProcessor implements CreditProcessor {
  readonly name = 'lossy'
  readonly checkEvery = 60_000
  readonly books = new Map<string, BookedOrder>()
  /** The fates of the next calls; afterwards all work. */
  fates: Fate[] = []
  #late: CreditOrder[] = []
  #held: (() => void)[] = []
  /** Resolved when a call is held, or its caller ends without an answer. */
  interrupted = Promise.withResolvers<Fate>()

  submit(_: unknown, order: CreditOrder): Promise<SubmitAnswer> {
    return this.#carry(order, () => this.#receive(order))
  }

  check(_: unknown, { creditId }: CreditOrder): Promise<CheckAnswer> {
    return this.#carry(null, () => this.#stateOf(creditId))
  }

  pay(): void {
    for (const order of this.books.values()) {
      if (order.state === 'accepted') Object.assign(order, { state: 'paid', payments: order.payments + 1 })
    }
  }

  /** Rejects, or forgets, every order that it has neither paid nor rejected. */
  drop(how: 'reject' | 'forget'): void {
    for (const [id, order] of this.books) {
      if (order.state !== 'accepted') continue
      if (how === 'reject') order.state = 'rejected'
      else this.books.delete(id)
    }
  }

  /** Delivers the late requests, each of them twice, the newest first. */
  deliverLate(): void {
    for (const order of this.#late.splice(0).reverse()) for (let time = 0; time < 2; time++) this.#receive(order)
  }

  releaseAnswers(): void {
    for (const release of this.#held.splice(0).reverse()) release()
  }

  get paidCents(): number {
    return [...this.books.values()].reduce((sum, { amountCents, payments }) => sum + amountCents * payments, 0)
  }

  async #carry<A>(request: CreditOrder | null, receive: () => A): Promise<A> {
    const fate = this.fates.shift() ?? 'works'
    const lost = new Error('no answer')
    if (fate === 'requestLost') throw lost
    if (fate === 'requestLate') {
      if (request) this.#late.push(request)
      throw lost
    }
    const answer = receive()
    if (fate === 'answerLost') throw lost
    if (fate === 'works') return answer
    this.interrupted.resolve(fate)
    if (fate === 'answerHeld') await new Promise<void>((release) => this.#held.push(release))
    return fate === 'callerEnds' ? new Promise<never>(() => {}) : answer
  }

  #receive({ creditId, amountCents }: CreditOrder): SubmitAnswer {
    const known = this.books.get(creditId)
    if (known && known.amountCents !== amountCents) throw new Error('the id is known with another amount')
    if (!known) this.books.set(creditId, { amountCents, state: 'accepted', payments: 0 })
    const answer = this.#stateOf(creditId)
    return answer.outcome === 'notReceived' ? { outcome: 'accepted' } : answer
  }

  #stateOf(creditId: string): CheckAnswer {
    const state = this.books.get(creditId)?.state
    if (state === undefined) return { outcome: 'notReceived' }
    if (state === 'rejected') return { outcome: 'rejected', reason: 'closed account' }
    return { outcome: state === 'paid' ? 'completed' : 'accepted' }
  }
}
