/** Everything that this browser keeps for us, by its key. Cookies are with those who set them. */
export const localKeys = {
  announcement: 'RN_ANNOUNCEMENT',
  generalPopup: 'RN_GENERAL_POPUP',
  ssoModal: 'RN_SSO_MODAL',
  linkedCard: 'cardRegistrationSuccess',
  installLater: 'RN_PWA_LATER',
  searchOptions: 'RN_SEARCH_OPTIONS',
  searchLocation: 'RN_SEARCH_LOCATION',
  recentSearches: 'RN_RECENT_SEARCHES',
  mapView: 'RN_MAP_VIEW',
  selectedMerchant: 'RN_SELECTED_MERCHANT',
  /** While an operator sees the app as a member does. */
  emulation: 'emulationId',
  /** A table that somebody chose before they signed in. */
  merchantReservation: 'RN_MERCHANT_RESERVATION',
  /** Followed by the survey's id. */
  survey: 'RN_SURVEY_',
  /** Followed by the bonus's code. */
  bonus: 'RN_BONUS_',
} as const

export type LocalKey =
  | (typeof localKeys)[keyof typeof localKeys]
  | `${typeof localKeys.survey | typeof localKeys.bonus}${string}`
