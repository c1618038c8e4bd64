export const impersonationCopy = {
  'emulation.banner': '{operator} is viewing this account as {member}.',
  'emulation.looking': 'Nothing can be changed.',
  'emulation.acting': 'Changes here are made for {member} and recorded.',
  'emulation.leave': 'Exit',
} as const
