import type { Module } from '../../platform/manifest.ts'
import { rewardsCopy } from './copy.ts'

export const earningModule: Module = { name: 'rewards/earning', messages: rewardsCopy }
