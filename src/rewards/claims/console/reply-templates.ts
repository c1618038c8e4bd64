import { inTransaction, type Tx } from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { publicId } from '../../../platform/security/ids.ts'
import type { Resolution } from '../rules.ts'
import type { ReplyTemplate } from './contract.ts'
import * as store from './store.ts'

const toTemplate = ({ publicId: id, name, code, words }: store.ReplyTemplate): ReplyTemplate => ({
  id,
  name,
  code: code as Resolution,
  words,
})

/** Returns the reply templates of a program. */
export async function listReplyTemplates(ctx: OperatorCtx): Promise<ReplyTemplate[]> {
  return (await store.listTemplates(ctx.db)).map(toTemplate)
}

/** Adds a template, or changes the one of the same name. */
export async function saveReplyTemplate(ctx: OperatorCtx, form: Omit<ReplyTemplate, 'id'>): Promise<ReplyTemplate[]> {
  return changeTemplates(ctx, form.name, async (tx) => {
    const template = { publicId: publicId(), ...form }
    await store.upsertTemplate(tx, template)
  })
}

/** Removes a template. Throws `notFound`. */
export async function deleteReplyTemplate(ctx: OperatorCtx, id: string): Promise<ReplyTemplate[]> {
  return changeTemplates(ctx, id, async (tx) => {
    if (!(await store.deleteTemplate(tx, id))) throw new ApiError('notFound')
  })
}

async function changeTemplates(
  ctx: OperatorCtx,
  label: string,
  change: (tx: Tx) => Promise<void>,
): Promise<ReplyTemplate[]> {
  await inTransaction(ctx.db, async (tx) => {
    const before = await store.listTemplates(tx)
    await change(tx)
    const after = await store.listTemplates(tx)
    await ctx.record(tx, {
      object: { type: 'claim-templates', id: label },
      before: { templates: before.map(({ name, words }) => ({ name, words })) },
      after: { templates: after.map(({ name, words }) => ({ name, words })) },
    })
  })
  return listReplyTemplates(ctx)
}
