import { randomInt } from 'node:crypto'
import { tokenHash } from '../kit/server/ids.ts'

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')

/** Four groups of five letters that are not taken for others: 98 bits. */
export const newPassword = () => Array.from({ length: 4 }, group).join('-')

/** A code for adding a passkey, once. */
export const newEnrollCode = newPassword

/** What the database has in place of a code, however it was typed. */
export const enrollCodeHash = (code: string) => tokenHash(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
