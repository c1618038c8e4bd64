export const botCheckCopy = {
  'bot.required': 'You must complete the reCAPTCHA to continue.',
  // The technical sentence is for support.
  'bot.not_ready':
    'We can’t check that you’re a person right now. Please try again in a moment, or call us at {supportPhone}. (reCaptcha is not in ready state.)',
  'bot.gave_up':
    'We couldn’t reach the check that you’re a person. A browser setting or extension may be blocking it. Allow it and try again, or call us at {supportPhone}. (Too many network errors, give up on reCaptcha.)',
  'bot.needs_script':
    'Before another attempt we check that you’re a person, and this check needs JavaScript. Please turn it on in your browser, try again in half an hour, or call us at {supportPhone}.',
  'error.notSolved': 'We couldn’t verify that you’re a person. Please try again.',
} as const
