export const botCheckCopy = {
  'bot.required': 'You must complete the reCAPTCHA to continue.',
  'bot.not_ready': 'reCaptcha is not in ready state.',
  'bot.gave_up': 'Too many network errors, give up on reCaptcha.',
  'bot.needs_script':
    'Before another attempt we check that you’re a person, and this check needs JavaScript. Please turn it on in your browser, or call us at {supportPhone}.',
  'error.notSolved': 'We couldn’t verify that you’re a person. Please try again.',
} as const
