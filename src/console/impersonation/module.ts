import type { Module } from '../../platform/manifest.ts'

export const consoleImpersonationModule: Module = { name: 'console/impersonation' }
