import { z } from 'zod'

/** Form field with the proof; empty on the first attempt. Its name is that of the best-known check. */
export const BotCheckResponse = z.string().max(4096).default('')
