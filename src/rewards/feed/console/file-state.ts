import type { FeedFile } from './contract.ts'

/** Returns what has become of a file, and the color of that. */
export function fileState({ finishedAt, upload }: Pick<FeedFile, 'finishedAt' | 'upload'>) {
  if (upload?.failure) return { label: 'Unreadable', color: 'red' }
  if (finishedAt !== null) return { label: 'Read', color: 'green' }
  return upload?.isWaiting ? { label: 'Being read', color: 'blue' } : { label: 'Not read to its end', color: 'orange' }
}
