/** The clock of an installation. The staging tools can shift it; it then runs on from there. */
export interface StagingClock {
  now(): Date
  /** Sets the current time; null restores the real time. */
  set(at: Date | null): void
  /** Offset from the real time, in milliseconds. */
  readonly offset: number
}

export function createStagingClock(): StagingClock {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    set(at) {
      offset = at === null ? 0 : at.getTime() - Date.now()
    },
    get offset() {
      return offset
    },
  }
}
