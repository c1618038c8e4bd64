/** Thrown by a page's `load`: the page is at another address. */
export class Redirect {
  readonly to: string
  /** A full page load, for addresses that the server handles or for a new version of the program. */
  readonly isDocument: boolean

  constructor(to: string, isDocument = false) {
    this.to = to
    this.isDocument = isDocument
  }
}

/** Thrown by a page's `load`: nothing is at this address. */
export class PageNotFound extends Error {}
