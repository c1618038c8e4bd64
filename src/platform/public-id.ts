/** Format of a public id: 128 random bits. */
export const publicIdPattern = /^[\w-]{22}$/
