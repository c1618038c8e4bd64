type PointerAction = { type: 'pointerMove'; x: number; y: number } | { type: 'pointerDown' | 'pointerUp'; button: 0 }

/** One source of WebDriver actions. WebDriver and WebDriver BiDi use the same format. */
export type InputSource =
  | { type: 'pointer'; id: string; actions: PointerAction[] }
  | { type: 'key'; id: string; actions: { type: 'keyDown' | 'keyUp'; value: string }[] }

/** One window of a browser, driven by its own protocol. */
export interface Driver {
  readonly version: string
  open(url: string): Promise<void>
  /**
   * Runs a function in the page, or in the frame with this title. It must not use its scope; arguments and result are
   * JSON.
   */
  evaluate<A extends unknown[], R>(run: (...args: A) => R, args: A, frame?: string): Promise<R>
  /** Moves pointer and keys in the page, or in the frame with this title. Coordinates are those of its viewport. */
  perform(sources: InputSource[], frame?: string): Promise<void>
  /** Sets the size of the page. */
  resize(width: number, height: number): Promise<void>
  /** Returns the visible part of the page as PNG. */
  screenshot(): Promise<Buffer>
  /** Console errors, uncaught errors and violations of the content policy so far. */
  readonly errors: readonly string[]
  close(): Promise<void>
}
