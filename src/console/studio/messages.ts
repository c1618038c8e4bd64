/** Messages of the studio after an action. */
export const notices: Record<string, string> = {
  saved: 'Draft saved. It is not visible until it is published.',
  savedAndShown:
    'Draft saved. This program shows its drafts to everybody (its setting cmsPreview), so visitors see it now.',
  unchanged: 'Nothing was saved: the text is the same as before.',
  published: 'Published. It is live now.',
  scheduled: 'Scheduled. It goes live automatically.',
  superseded: 'Released, but not live now: another release of this entry began later.',
  withdrawn: 'Withdrawn. Another release of this entry is live.',
  notLive: 'Withdrawn. This entry is not live now.',
  restored: 'The older version is now the draft.',
  removed: 'A draft that removes this entry is saved. Publish it to remove the entry.',
}

/** Whether an entry must be live for a message to be true. Back can lead to a message that is no longer true. */
const needsLive: Readonly<Record<string, boolean>> = { published: true, withdrawn: true, notLive: false }

/** Returns the message with a name from the page's address; null when there is none, or it is no longer true. */
export function noticeOf(name: string, isLive: boolean): string | null {
  if (!Object.hasOwn(notices, name) || (needsLive[name] ?? isLive) !== isLive) return null
  return notices[name] ?? null
}

export const problems: Record<string, string> = {
  editedMeanwhile:
    'This entry was changed after you opened this page. The other version is under Versions, and your text is still below. Save again to put yours on top.',
  badMoment: 'Nothing was published. Enter the whole date, with a year such as 2027, and the time.',
  badSchedule: 'The end must be in the future and after the start.',
  contentNotFound: 'This entry or version no longer exists.',
  invalid: 'Some fields need to be corrected. They are marked below.',
}

/** Returns the message with a name from the page's address; null when there is none. */
export const problemOf = (name: string): string | null =>
  Object.hasOwn(problems, name) ? (problems[name] ?? null) : null

/** Formats a moment in UTC, independent of the editor's time zone. */
export const moment = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
