import type { Module } from '../../platform/manifest.ts'

export const consoleStudioModule: Module = { name: 'console/studio' }
