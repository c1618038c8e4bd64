import type { Module } from '../../platform/manifest.ts'

export const consolePayoutsModule: Module = { name: 'console/payouts' }
