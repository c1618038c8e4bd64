import type { Ctx } from '../../platform/http/context.ts'

/** Distinguishes a person's browser from a program; each response is accepted once. */
export interface HumanProof {
  accepts(ctx: Ctx, answer: string): Promise<boolean>
}
