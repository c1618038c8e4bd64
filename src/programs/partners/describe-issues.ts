import type { z } from 'zod'

/**
 * Returns the errors of a file, one line per field: `earnRates.VIP must be a whole number`. Fields are dotted paths.
 */
export function describeIssues(error: z.ZodError): string[] {
  return error.issues.map((issue) => {
    const field = issue.path.join('.')
    if (issue.code === 'unrecognized_keys') {
      const keys = issue.keys.map((key) => (field ? `${field}.${key}` : key))
      return `${keys.join(', ')} ${keys.length === 1 ? 'is not a known field' : 'are not known fields'}`
    }
    return `${field || 'the file'} ${describeIssue(issue)}`
  })
}

const nouns: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return 'is required'
      return `must be ${nouns[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'too_small':
      return describeSize(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum)
    case 'too_big':
      return describeSize(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum)
    case 'invalid_format':
      if (!issue.message.startsWith('Invalid')) return issue.message
      return issue.format === 'regex' ? `must match ${issue.pattern}` : `must be a valid ${issue.format}`
    case 'custom':
      return issue.message
    default:
      return `is not valid (${issue.message})`
  }
}

function describeSize(origin: string, bound: string, size: number | bigint): string {
  if (origin === 'string') return `must have ${bound} ${size} characters`
  if (origin === 'array') return `must have ${bound} ${size} items`
  return `must be ${bound} ${size}`
}
