import type { FormDefinition } from '../src/programs/partners/form-definition.ts'

/** Where a program receives reviews. */
export interface ReviewCallback {
  /** Public URL of the callback on the program's host. */
  callbackUrl: string
  /** Signs the call. */
  key: string
}

/** The forms of one program. */
export interface FormOwner {
  /** Origin of the program's pages: they may frame its forms, and standalone forms link back to them. */
  appOrigin: string
  forms: ReadonlyMap<string, FormDefinition>
  /** Callback URL and key for reviews; without it the program has no review form. */
  reviews?: ReviewCallback
}
