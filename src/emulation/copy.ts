export const emulationCopy = {
  'emulation.banner': '{operator} sees this account as {member} does.',
  'emulation.looking': 'Nothing can be changed.',
  'emulation.acting': 'What is changed here is changed for {member}, and written down.',
  'emulation.leave': 'Leave',
} as const
