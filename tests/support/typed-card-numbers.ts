import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'

const file = 'test-results/card-numbers.txt'

/** The card numbers that the journeys of this worker have typed. */
export const typedCardNumbers = new Set<string>()

/** The card numbers that all workers of this run have typed so far. */
export function allTypedCardNumbers(): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

/** Records a card number before it is typed into the frame. */
export function recordCardNumber(number: string): void {
  typedCardNumbers.add(number)
  mkdirSync('test-results', { recursive: true })
  appendFileSync(file, `${number}\n`)
}
