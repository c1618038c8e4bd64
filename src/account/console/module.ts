import type { Module } from '../../platform/manifest.ts'

export const accountConsoleModule: Module = { name: 'account/console' }
