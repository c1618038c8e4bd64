import { passesLuhn } from '../../src/rewards/cards/rules.ts'

let count = 0

/** Returns a Visa number with a valid checksum, a new one at every call. */
export function cardNumber(): string {
  const body = `4000${String(process.pid).padStart(6, '0').slice(-6)}${String(++count).padStart(5, '0')}`
  return [...'0123456789'].map((check) => body + check).find(passesLuhn) as string
}

/** Returns a number that the vault declines everywhere. */
export function declinedNumber(): string {
  const middle = Array.from({ length: 10 }, (_, digit) => `40000000000${digit}0002`)
  return middle.find(passesLuhn) as string
}

export { sealCard } from '../../src/rewards/cards/seal-card.ts'
