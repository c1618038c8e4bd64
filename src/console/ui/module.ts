import type { Module } from '../../platform/manifest.ts'

export const consoleUiModule: Module = { name: 'console/ui' }
