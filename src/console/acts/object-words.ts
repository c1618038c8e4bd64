import { objectName } from '../../console-kit/act-words.ts'
import { dayText } from '../../console-kit/times.ts'
import { topicName } from '../../identity/email/console/words.ts'
import { nameOfMonth } from '../../rewards/settlement/console/month-name.ts'

interface ActObject {
  type: string
  id: string
  label: string
}

/** Words for the objects of a type whose id, or recorded label, is one of a machine. */
const labels: Readonly<Record<string, (object: ActObject) => string>> = {
  email: ({ label }) => label && topicName(label),
  'settlement-month': ({ id }) => nameOfMonth(id),
  settlement: ({ id }) => (/^\d{4}-\d{2}$/.test(id) ? nameOfMonth(id) : ''),
  days: ({ id }) => (/^\d{4}-\d{2}-\d{2}$/.test(id) ? dayText(id) : ''),
  role: ({ id }) => id,
}

/** Returns what an act was done to, in words: `Claim: Oak & Ember`. */
export function objectText(object: ActObject): string {
  const label = labels[object.type]?.(object) || object.label
  return label !== '' ? `${objectName(object.type)}: ${label}` : objectName(object.type)
}
