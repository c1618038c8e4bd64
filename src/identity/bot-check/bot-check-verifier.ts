import type { Ctx } from '../../platform/http/context.ts'

/** Distinguishes a person's browser from a program; each response is accepted once. */
export interface BotCheckVerifier {
  accepts(ctx: Ctx, response: string): Promise<boolean>
}
