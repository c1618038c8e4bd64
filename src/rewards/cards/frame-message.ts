import { cardTypes } from '../../programs/partners/names.ts'

/** The frame's message with a complete, sealed card. */
export interface FrameCard {
  type: 'dineback-card'
  encryptedCardNumber: string
  lastFour: string
  cardType: (typeof cardTypes)[number]
}

const states = ['ready', 'invalid', 'cleared', 'height'] as const
const problems = ['missing', 'number', 'expiry'] as const

/** The reason why the typed card cannot be linked. */
export type FrameProblem = (typeof problems)[number]

/** The frame's message about its state. Heights are CSS pixels. */
export interface FrameState {
  type: 'dineback-frame'
  state: (typeof states)[number]
  /** The problem with the input, if any. */
  wrong?: FrameProblem
  /** Whether the number and the month both have a problem. */
  both?: boolean
  height?: number
}

export type FrameMessage = FrameCard | FrameState

/** The page's message to the frame when the form is submitted with an incomplete card. */
export const checkMessage = 'dineback-check'

type Check = (value: unknown) => boolean

const isText =
  (min: number, max: number): Check =>
  (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max

const isOneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)

const isOptional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

/** The fields of each message. Written without zod, which would be most of the script of the card form. */
const messages: Readonly<Record<FrameMessage['type'], Readonly<Record<string, Check>>>> = {
  'dineback-card': {
    type: isText(1, 20),
    encryptedCardNumber: isText(50, 4096),
    lastFour: (value) => typeof value === 'string' && /^\d{4}$/.test(value),
    cardType: isOneOf(cardTypes),
  },
  'dineback-frame': {
    type: isText(1, 20),
    state: isOneOf(states),
    wrong: isOptional(isOneOf(problems)),
    both: isOptional((value) => typeof value === 'boolean'),
    height: isOptional((value) => typeof value === 'number' && value >= 0 && value <= 2000),
  },
}

/** Parses a message of the frame, JSON text; returns null for anything else. */
export function readFrameMessage(data: unknown): FrameMessage | null {
  if (typeof data !== 'string' || data.length > 8192) return null
  try {
    const message: unknown = JSON.parse(data)
    return isFrameMessage(message) ? message : null
  } catch {
    return null
  }
}

function isFrameMessage(message: unknown): message is FrameMessage {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false
  const { type } = message
  if (type !== 'dineback-card' && type !== 'dineback-frame') return false
  const checks = Object.entries(messages[type])
  const isKnown = Object.keys(message).every((name) => Object.hasOwn(messages[type], name))
  return isKnown && checks.every(([name, check]) => check((message as Record<string, unknown>)[name]))
}
