export const verificationCopy = {
  'verification.title': 'Email address',
  'verification.verified': 'Verified',
  'verification.unverified': 'Not verified yet',
  'verification.verified_since': 'You verified this address on {date}.',
  'verification.why':
    'We sent you a code. Enter it to show that this mailbox is yours. You can use your account in the meantime.',
  'verification.open': 'Verify this address',
  'verification.page_title': 'Verify your email address',
  'verification.lead':
    'We sent a code to {email}. Open its link in this browser, or enter the code. It works for one day.',
  'verification.link_ready': 'Your link works. Continue to verify {email}.',
  'verification.link_needs_script': 'The link of the email needs JavaScript. Without it, enter the code.',
  'verification.code': 'Code',
  'verification.code_missing': 'Enter the code from our email.',
  'verification.code_invalid': 'This code doesn’t work. It may be older than a day, used, or for another address.',
  'verification.confirm': 'Verify',
  'verification.again': 'Send me a new code',
  'verification.sent': 'A new code is on its way to {email}.',
  'verification.done': 'Your email address is verified.',
  'verification.done_lead': '{email} is verified. There’s nothing else to do.',
  'verification.back': 'Back to sign-in & security',
  'error.verificationCodeInvalid': 'This code doesn’t work. It may be older than a day, used, or for another address.',
  'error.tooManyVerifications':
    'We’ve sent you several codes already. Please check your mailbox, or try again in an hour.',
  'error.alreadyVerified': 'Your email address is verified already.',
  'error.addressOfAnother': 'Another account has verified this email address. Please call us at {supportPhone}.',
  'verification.mail.subject': 'Verify your email address for {programName}',
  'verification.mail.preview': 'Your code works for one day.',
  'verification.mail.title': 'Is this your email address?',
  'verification.mail.lead':
    'Hello {name}, your account at {programName} uses this address. Please verify it where you are signed in. The link and the code work once, within one day.',
  'verification.mail.code': 'Code',
  'verification.mail.action': 'Verify my address',
  'verification.mail.not_you':
    'Didn’t open this account? Then don’t enter the code anywhere. To take the account over, choose “Forgot your password?” on our sign-in page. Everyone else is then signed out.',
} as const
