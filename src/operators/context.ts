/** A signed-in console user. */
export interface Operator {
  id: number
  email: string
  name: string
  /** Editors edit content, support staff see what members see, and admins may do both and act for members. */
  role: 'editor' | 'support' | 'admin'
  /** Programs that the operator may work on; null means all. */
  partners: readonly string[] | null
}

export interface ConsoleSession {
  operator: Operator
  idHash: Buffer
  /** Included in every form. */
  csrfToken: string
  /** Whether the operator has verified a passkey in this session. */
  isProven: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on the sign-in pages. */
    consoleSession: ConsoleSession | null
  }
}
