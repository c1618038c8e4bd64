/** Everything that this browser keeps for us, by its key. Cookies are with those who set them. */
export const localKeys = {
  announcement: 'RN_ANNOUNCEMENT',
  generalPopup: 'RN_GENERAL_POPUP',
  ssoModal: 'RN_SSO_MODAL',
  linkedCard: 'cardRegistrationSuccess',
  installLater: 'RN_PWA_LATER',
  /** Followed by the survey's id. */
  survey: 'RN_SURVEY_',
} as const

export type LocalKey = (typeof localKeys)[keyof typeof localKeys] | `${typeof localKeys.survey}${string}`
