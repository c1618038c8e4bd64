/** Figures that add up: a week has the sum of its days. */
export const flows = [
  'views',
  'joined',
  'left',
  'linked',
  'removed',
  'firstCards',
  'dines',
  'spend',
  'firstDines',
  'fifthDines',
  'rewards',
  'payouts',
  'fees',
  'partnerShare',
  'margin',
] as const
export type Flow = (typeof flows)[number]

/** Figures of the end of a period: each is the sum of what came, less the sum of what went, since the first day. */
export const levels = {
  members: { came: 'joined', went: 'left' },
  cards: { came: 'linked', went: 'removed' },
  liability: { came: 'rewards', went: 'payouts' },
} as const satisfies Record<string, { came: Flow; went: Flow }>
export type Level = keyof typeof levels

/** All figures of a period. `diners` counts people, each once in a period. */
export const figures = [...flows, ...(Object.keys(levels) as Level[]), 'diners'] as const
export type Figure = Flow | Level | 'diners'

export const periods = ['day', 'week', 'month'] as const
export type Period = (typeof periods)[number]

/** A figure about fewer people than this is not shown. */
export const smallestGroup = 10
