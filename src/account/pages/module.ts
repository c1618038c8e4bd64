import type { Module } from '../../platform/manifest.ts'

export const accountPagesModule: Module = { name: 'account/pages' }
