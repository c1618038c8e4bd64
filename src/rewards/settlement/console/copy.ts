/** What the console says about settlement, by key. */
export const settlementConsoleCopy = {
  'error.monthNotOver': 'This month is not over (UTC). Close it from the first day of the next one on.',
  'error.monthClosed': 'This month is closed already. Reload the page to see by whom.',
  'error.earlierMonthOpen': 'An earlier month is still open. Close that one first.',
} as const
