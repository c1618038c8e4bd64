/** All localStorage keys. Cookies are defined where they are set. */
export const storageKeys = {
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
  /** Set during impersonation. */
  impersonation: 'emulationId',
  /** The slot that a visitor chose before signing in. */
  merchantReservation: 'RN_MERCHANT_RESERVATION',
  /** The public id of the member who signed in last, for the other tabs. */
  member: 'RN_MEMBER',
  /** Prefix of the survey's id. */
  survey: 'RN_SURVEY_',
  /** Prefix of the bonus code. */
  bonus: 'RN_BONUS_',
} as const

export type StorageKey =
  | (typeof storageKeys)[keyof typeof storageKeys]
  | `${typeof storageKeys.survey | typeof storageKeys.bonus}${string}`
