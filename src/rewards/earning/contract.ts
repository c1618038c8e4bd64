export type {
  AwardExplanation,
  AwardStatus,
  DisplayStatus,
  FlexOffer,
  RewardTransaction,
  TransactionStatus,
  TransactionTypeCode,
} from './schemas.ts'
