/** What all calls have in common, in Markdown. */
export const conventions = [
  {
    title: 'Sessions',
    text:
      '`getCsrf` opens a session and sets its cookie `__Host-sid`; signing in replaces it. `session_expiry` is the time ' +
      'at which the session ends, `__Host-device` identifies a browser in which a member has signed in, and ' +
      '`__Host-recovery` a browser that requested a code. Over plain http, for development only, the names lack the ' +
      'prefix `__Host-`.',
  },
  {
    title: 'CSRF',
    text: 'Calls that change something, or disclose personal data, require the session’s CSRF token in `X-XSRF-TOKEN`.',
  },
  {
    title: 'Signatures',
    text:
      'Calls of machines require a timestamp and a signature of body, URL and timestamp, in the headers ' +
      '`X-Dineback-Timestamp` and `X-Dineback-Signature` or in `X-Fidel-Timestamp` and `X-Fidel-Signature`.',
  },
  {
    title: 'Errors',
    text:
      'A 400 with `application/json` is a list of invalid fields. Every other error is a problem document (RFC 9457): ' +
      '`code` is for programs, `title` is a message for people, and `reference` identifies the log line. The titles ' +
      'here are the default messages; a program may have its own.',
  },
  {
    title: 'Response headers',
    text:
      '`Program-Version` changes with the content and the feature flags of the program. `X-Request-Id` is the ' +
      '`reference` of an error.',
  },
  {
    title: 'Limits',
    text: 'A 429 with the code `tooMany` and every 503 have the header `Retry-After`.',
  },
] as const
