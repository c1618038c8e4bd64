import type { Module } from '../../platform/manifest.ts'

export const invoicesModule: Module = { name: 'rewards/invoices' }
