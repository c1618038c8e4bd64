/** The schemas of the calls: what operators see of a member, and what they do. */
export * from './act-schemas.ts'
export * from './merge/schemas.ts'
export * from './record-schemas.ts'
export * from './tiers/schemas.ts'
