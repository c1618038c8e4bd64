import type { Module } from '../../platform/manifest.ts'

export const consoleFeedFilesModule: Module = { name: 'console/feed-files' }
