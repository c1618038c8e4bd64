export const botCheckCopy = {
  'bot.required': 'You must complete the reCAPTCHA to continue.',
  // The technical sentence is for support.
  'bot.not_ready':
    'We can’t check that you’re a person right now. Please try again in a moment. (reCaptcha is not in ready state.)',
  'bot.gave_up':
    'We couldn’t reach the check that you’re a person. Please check your connection, then try again. (Too many network errors, give up on reCaptcha.)',
  'bot.needs_script':
    'Before another attempt we check that you’re a person, and this check needs JavaScript. Please turn it on in your browser, or call us at {supportPhone}.',
  'error.notSolved': 'We couldn’t verify that you’re a person. Please try again.',
} as const
