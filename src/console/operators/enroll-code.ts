import { randomInt } from 'node:crypto'
import { tokenHash } from '../../platform/security/ids.ts'

const characters = 'abcdefghjkmnpqrstuvwxyz23456789'
const group = () => Array.from({ length: 5 }, () => characters[randomInt(characters.length)]).join('')

/** Returns four groups of five unambiguous characters: 98 bits. */
export const newPassword = () => Array.from({ length: 4 }, group).join('-')

/** Returns a one-time code for adding a passkey. */
export const newEnrollCode = () => newPassword()

/** Returns the stored hash of a code; ignores case and separators. */
export const enrollCodeHash = (code: string) => tokenHash(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
