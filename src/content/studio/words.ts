/** What the studio says after an act. */
export const notices: Record<string, string> = {
  saved: 'Draft saved. Nobody sees it until it is published.',
  savedAndShown:
    'Draft saved. This program shows its drafts to everybody (its setting cmsPreview), so visitors see it now.',
  published: 'Published. It is live now.',
  scheduled: 'Scheduled. It goes live by itself.',
  withdrawn: 'Withdrawn. What was live before it is live again.',
  restored: 'The older version is the draft now.',
  removed: 'A draft that removes this entry is saved. Publish it to take the entry away.',
}

export const problems: Record<string, string> = {
  editedMeanwhile:
    'Somebody else has saved this entry since you opened it. Their version is in the history; what you wrote is still below. Save again to put yours on top.',
  badSchedule: 'The end must lie ahead, and behind the beginning.',
  contentNotFound: 'There is no such entry or version any more.',
  invalid: 'Some fields are not right. They are marked below.',
}

/** A moment as editors of all time zones read it. */
export const moment = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
