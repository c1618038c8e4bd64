import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../platform/http/register-route.ts'
import * as closing from './close-service.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'
import * as service from './service.ts'

export type { SettlementConsoleDeps } from './service.ts'

const asFile = (name: string) => `attachment; filename="${name}"`

/** Registers the console's calls about settlement. */
export function settlementConsoleRoutes(
  app: FastifyInstance,
  deps: service.SettlementConsoleDeps & closing.CloseDeps,
): void {
  registerRoute(app, calls.listSettlement, schemas.listSettlement, (ctx, { query }) =>
    service.listSettlement(ctx, query),
  )
  registerRoute(app, calls.exportSettlement, schemas.exportSettlement, (ctx, { query }, http) =>
    service.exportSettlement(ctx, query, http),
  )
  registerRoute(app, calls.getSettlementMonth, schemas.getSettlementMonth, (ctx, { query }) =>
    service.getSettlementMonth(ctx, query.month),
  )
  registerRoute(app, calls.getSettlementFile, schemas.getSettlementFile, async (ctx, { params }, { reply }) => {
    const { name, text } = await service.getDayFile(ctx, params.day)
    return reply.header('content-disposition', asFile(name)).type('text/csv; charset=utf-8').send(text)
  })
  registerRoute(app, calls.previewCloseMonth, schemas.previewCloseMonth, (ctx, { params }) =>
    closing.previewClose(ctx, deps, params.month),
  )
  registerRoute(app, calls.closeMonth, schemas.closeMonth, (ctx, { params, body }) =>
    closing.closeMonth(ctx, deps, { month: params.month, ...body }),
  )
  registerRoute(app, calls.getStatement, schemas.getStatement, (ctx, { params, query }) =>
    service.getStatement(ctx, deps, { merchantId: params.merchant, month: query.month }),
  )
  registerRoute(app, calls.getStatementFile, schemas.getStatementFile, async (ctx, { params, query }, { reply }) => {
    const { month, format } = query
    const { name, type, bytes } = await service.getStatementFile(ctx, deps, {
      merchantId: params.merchant,
      month,
      format,
    })
    return reply.header('content-disposition', asFile(name)).type(type).send(bytes)
  })
}
