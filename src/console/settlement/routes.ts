import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addDays, addMonths, isDay, isMonth } from '../../platform/time.ts'
import type { ProgramConfig } from '../../programs/partners/contract.ts'
import { firstOpenDay, settlementFile } from '../../rewards/settlement/settlement-file.ts'
import { readStatement, statementCsv } from '../../rewards/settlement/statement.ts'
import { statementPdf } from '../../rewards/settlement/statement-pdf.ts'
import { getCreditsByDay, listSettledDays, listSettledLines } from '../../rewards/settlement/store.ts'
import {
  type AdminDeps,
  type AdminLink,
  type ConsoleUi,
  mayViewSettlements,
  type Operator,
  requirePasskey,
  resolveAdminContext,
  sendConsolePage,
} from '../operators/service.ts'
import { nameOfMonth } from './month-name.ts'
import type * as settlementPages from './pages.tsx'

export interface SettlementAdminContext extends AdminDeps<{ config: ProgramConfig }> {
  pages: ConsoleUi & typeof settlementPages
  passkeysRequired: boolean
}

type Request = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, string> }>

/** Registers the settlement pages: what a program and its restaurants owe each other. For administrators. */
export function settlementAdminRoutes(app: FastifyInstance, adminContext: SettlementAdminContext): void {
  requirePasskey(app, 'settlement', adminContext)

  app.get('/:partner/settlement', async (request: Request, reply) => {
    const scope = resolveAdminContext(adminContext, request, mayViewSettlements)
    const now = new Date()
    const today = now.toISOString().slice(0, 10)
    const month = request.query.month ?? today.slice(0, 7)
    if (!scope || !isMonth(month)) return reply.callNotFound()
    const { partnerId, db, program } = scope
    const days = { from: `${month}-01`, to: addDays(`${addMonths(month, 1)}-01`, -1) }
    const [settled, credits, lines] = await Promise.all([
      listSettledDays(db, days),
      getCreditsByDay(db, days),
      listSettledLines(db, days),
    ])
    const { config: currency } = program
    const settles = currency.settlement !== undefined
    return sendConsolePage(adminContext, request, reply, {
      title: `Settlement of ${program.config.programName}, ${nameOfMonth(month)}`,
      breadcrumbs: [{ label: 'Programs', href: '/programs' }],
      Page: adminContext.pages.MonthPage,
      props: { partnerId, currency, month, today, openDay: firstOpenDay(now), settles, days: settled, credits, lines },
    })
  })

  app.get('/:partner/settlement/days/:day.csv', async (request: Request, reply) => {
    const scope = resolveAdminContext(adminContext, request, mayViewSettlements)
    const { day = '' } = request.params
    // The file of a day would still change until its last entries are stored.
    if (!scope || !isDay(day) || day >= firstOpenDay(new Date())) return reply.callNotFound()
    return reply
      .header('content-disposition', `attachment; filename="${scope.partnerId}-${day}.csv"`)
      .type('text/csv; charset=utf-8')
      .send(await settlementFile(scope, day))
  })

  app.get('/:partner/settlement/statements/:merchant', async (request: Request, reply) => {
    const scope = resolveAdminContext(adminContext, request, mayViewSettlements)
    const { month = '', format = '' } = request.query
    if (!scope || !isMonth(month) || (format !== 'pdf' && format !== 'csv')) return reply.callNotFound()
    const merchantId = request.params.merchant ?? ''
    const statement = await readStatement(programsOf(adminContext, scope.operator), { merchantId, month })
    if (!statement) return reply.callNotFound()
    reply.header('content-disposition', `attachment; filename="${statement.merchant.publicId}-${month}.${format}"`)
    if (format === 'csv') return reply.type('text/csv; charset=utf-8').send(statementCsv(statement))
    return reply.type('application/pdf').send(await statementPdf(statement))
  })
}

/** Returns an operator's programs: a restaurant is in many, and operators see transactions of their own only. */
function programsOf({ programs, pools }: SettlementAdminContext, operator: Operator) {
  return [...programs]
    .filter(([id]) => mayViewSettlements(operator, id))
    .map(([id, { config }]) => ({ config, db: pools.forPartner(id) }))
}

export const settlementLink: AdminLink = { label: 'Settlement', path: 'settlement', may: mayViewSettlements }
