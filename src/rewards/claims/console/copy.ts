/** What the console says about claims, by key. */
export const claimsConsoleCopy = {
  'error.claimDecided': 'This claim has already been decided. Your decision was not stored.',
  'error.claimWaits': 'A credit of this claim waits for a second person, under Approvals. It is decided there first.',
  'error.largeReward': 'This is more than twice what the meal would earn. Check the reward, and confirm it.',
  'error.mealEarns':
    'A meal like this earns already. Look at it among the similar transactions, and confirm that the claim is about another one.',
  'console.claims.outcome': 'Choose an outcome.',
  'console.claims.words_long': 'The message may have at most 500 characters.',
  'console.claims.reward_money': 'To credit it, enter the reward in dollars, from $0.01 to $10,000.00, such as 1.25.',
  'console.claims.reward_count': 'To credit it, enter the reward as a whole number from 1 to 1,000,000.',
  'console.claims.template_name': 'Give the template a name of up to 80 characters.',
  'console.claims.template_words': 'Write the message, in up to 500 characters.',
} as const
