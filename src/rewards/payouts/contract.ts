export type { RedemptionStatus, StatementCredit } from './schemas.ts'
