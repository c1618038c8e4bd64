/** Names and limits that pages need without the schemas that validate them. */
export const features = ['delivery', 'dineIn', 'takeout', 'onlineOrdering'] as const
export const sorts = ['distance', 'rating', 'name', 'newest', 'relevance'] as const
export const meals = ['breakfast', 'brunch', 'lunch', 'dinner', 'lateNight'] as const
/** Ordered by number; Sunday is 0. */
export const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/** The own reservation book, which every installation has, and a booking server over HTTP. */
export const reservationProviders = ['book', 'http'] as const
export type ReservationProvider = (typeof reservationProviders)[number]
export type ReservationProviders = ReadonlySet<ReservationProvider>

/** Values of `location` that refer to coordinates in the same request. */
export const positionLiterals = ['Current Location', 'Current Map View'] as const

/** Maximum search radius in miles; a larger one would list the whole country. */
export const radiusLimit = 100

/** Maximum length of what is searched for, and of where. */
export const maxSearchText = 80
