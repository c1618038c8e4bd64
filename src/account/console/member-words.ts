import type { Listed } from './contract.ts'

export const typeNames: Readonly<Record<Listed['memberType'], string>> = {
  EnrolledCardMember: 'Member',
  NonCardMember: 'No card yet',
  ClosedAccountMember: 'Closed',
}

/** The state of an account, for a badge. */
export function stateOf({ memberType, isMerged }: Pick<Listed, 'memberType' | 'isMerged'>): {
  label: string
  color: string
} {
  if (isMerged) return { label: 'Merged', color: 'gray' }
  const color = { EnrolledCardMember: 'green', NonCardMember: 'blue', ClosedAccountMember: 'gray' }[memberType]
  return { label: typeNames[memberType], color }
}

/** Returns a member's name; that of one without a name is the email address. */
export const nameOf = ({ firstName, lastName, email }: Pick<Listed, 'firstName' | 'lastName' | 'email'>): string =>
  `${firstName} ${lastName}`.trim() || email
