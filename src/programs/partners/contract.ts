import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type {
  Bonus,
  CardType,
  CurrencyType,
  EnrollmentType,
  FeatureFlags,
  PopUpAudience,
  ProgramConfig,
  PublicConfig,
  TierLevel,
} from './schemas.ts'

export const getPartnerConfig = defineCall<typeof schemas.getPartnerConfig>()({
  id: 'getPartnerConfig',
  method: 'GET',
  path: '/api/PartnerConfig',
  access: 'anyone',
})

export const getFeatureFlags = defineCall<typeof schemas.getFeatureFlags>()({
  id: 'getFeatureFlags',
  method: 'GET',
  path: '/api/feature-flags',
  access: 'anyone',
})
