import type { Module } from '../../platform/manifest.ts'

export const consoleSettlementModule: Module = { name: 'console/settlement' }
