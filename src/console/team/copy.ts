/** What the console says about operators and roles, by key. */
export const teamCopy = {
  'error.notGrantable': 'You can only give and take what you may do yourself, in the same programs.',
  'error.self': 'Nobody changes the own access. Another administrator can do it.',
  'error.lastAdministrator': 'This is the last administrator. Make someone else one first.',
  'error.operatorExists': 'There is an operator with this address already.',
  'error.builtInRole': 'This role comes with the product and stays as it is. Make one with another name.',
  'error.roleInUse': 'Operators have this role. Give them another one first.',
  'console.team.email': 'Enter an email address.',
  'console.team.name': 'Enter a name of up to 80 characters.',
  'console.team.grants': 'Choose at least one role.',
  'console.team.role_name': 'A role’s name has 2 to 40 small letters, digits and hyphens.',
  'console.team.permissions': 'Choose at least one permission.',
} as const
