import type { Module } from '../../platform/manifest.ts'

export const settlementModule: Module = { name: 'rewards/settlement' }
