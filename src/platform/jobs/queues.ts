/** The form service's queue: reviews to pass on to their programs. */
export const reviewCallbacks = 'review-callbacks'

/** The queue of jobs that have failed for good. */
export const deadLetters = 'dead-letters'

/** The queue of periodic tasks, and the one of the times at which they start. */
export const taskQueue = 'tasks'
export const scheduleQueue = 'schedule'
