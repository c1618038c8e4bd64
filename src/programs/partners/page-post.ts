import type { Api } from '../../platform/browser/api.ts'
import type { FieldError } from '../../platform/errors.ts'
import type { FormFields, FormOutput } from '../../platform/form-fields.ts'
import type { FeatureFlags, PublicConfig } from './contract.ts'

/** Where a page goes next, and what it passes there, as with the router's `navigate`. */
export interface NextPage {
  to: string
  state?: object
  /** Other pages that get the same, if the person goes there instead. */
  alsoFor?: readonly string[]
}

/** What the script of a page knows when its form is submitted. */
export interface PostContext {
  call: Api['call']
  config: PublicConfig
  /** The query of the page's address. */
  search: URLSearchParams
  /** The Cookie header. */
  cookies: string
  /** What the previous page passed to this one. */
  passed: Record<string, unknown>
}

/** A form of a public page, whatever its fields are. */
export interface AnyPagePost {
  /** Identifies the form; the screen passes the same name to `useMemberForm`. */
  name: string
  /** The pages that have the form: each posts to its own address. */
  paths: readonly string[]
  fields: FormFields
  /** Fields that a failed form does not keep: passwords and codes. */
  secrets: readonly string[]
  /** The field of the address that the other forms of people without a session begin with. */
  emailField?: string
  /** Returns whether a program has the page at one of these paths. */
  isOffered(config: PublicConfig, path: string): boolean
  /** The flag that closes the page for maintenance. */
  maintenance?: keyof FeatureFlags['authFlags']
  /** Returns errors beyond the description of the fields, as the screen does. */
  problems?(values: FormOutput<FormFields>, config: PublicConfig): readonly FieldError[]
  /** Error codes that the screen shows at a field, with their copy keys. */
  fieldErrors?: Readonly<Record<string, FieldError>>
  /** Makes the calls. Rejects with an ApiCallError. */
  submit(values: FormOutput<FormFields>, context: PostContext): Promise<NextPage>
}

/**
 * A form of a public page that a browser may post by itself, before or without script. It makes the same calls as the
 * script, and goes to the same page. See docs/decisions/064.
 */
export interface PagePost<F extends FormFields> extends AnyPagePost {
  fields: F
  secrets: readonly (keyof F & string)[]
  emailField?: keyof F & string
  problems?(values: FormOutput<F>, config: PublicConfig): readonly FieldError[]
  submit(values: FormOutput<F>, context: PostContext): Promise<NextPage>
}

declare module '../../platform/manifest.ts' {
  // The same parameters as the interface that it extends.
  interface Module<Needs> {
    /** Its forms of public pages that browsers post without script. */
    pagePosts?: readonly AnyPagePost[]
  }
}

/** What the page of a failed post is rendered with; part of what the router passes to it. */
export interface FailedPost {
  /** The name of the form. */
  post: string
  /** What was typed, without passwords and codes. */
  values: Readonly<Record<string, string | boolean>>
  /** The message of each invalid field: a copy key, or already localized. */
  errors: Readonly<Record<string, string>>
  /** The message of the whole form; null when fields are invalid. */
  failure: string | null
  /** The error code of the call. */
  code: string
}
