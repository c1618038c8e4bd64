/** The clock of an installation, which the staging tools can set ahead or back; it goes on from there. */
export interface StagingClock {
  now(): Date
  /** Sets the present moment; null returns to the real time. */
  set(at: Date | null): void
  /** Milliseconds ahead of the real time. */
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
