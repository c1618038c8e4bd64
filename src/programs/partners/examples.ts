import { type CallGroup, example } from '../../platform/call-examples.ts'
import { getFeatureFlags, getPartnerConfig } from './contract.ts'
import * as schemas from './schemas.ts'

export const partnerExamples: CallGroup = {
  tag: 'Program',
  place: 10,
  description: 'The configuration and the feature flags of the program.',
  examples: [
    example(getPartnerConfig, schemas.getPartnerConfig, {
      reply: {
        code: 'skyharbor',
        name: 'Skyharbor',
        programName: 'Skyharbor Miles Dining',
        currencyName: 'miles',
        currencyType: 'Mile',
        enrollmentType: 'direct',
        earnRates: { OptedOut: 100, NonActivated: 100, OptedIn: 300, VIP: 500 },
        maximumCards: 12,
      },
    }),
    example(getFeatureFlags, schemas.getFeatureFlags, {
      reply: {
        authFlags: { loginMaintenance: false, joinMaintenance: false, siteMaintenance: false, botCheck: true },
        filters: { acclaimed: true, features: true, priceRange: true },
        partnerFeatureFlags: {},
      },
    }),
  ],
}
