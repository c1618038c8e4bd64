import type { Module } from '../../platform/manifest.ts'
import { surveysCopy } from './copy.ts'

export const surveysModule: Module = { name: 'programs/surveys', messages: surveysCopy }
