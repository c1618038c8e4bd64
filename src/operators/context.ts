/** Who is signed in to the console. */
export interface Operator {
  id: number
  email: string
  name: string
  /** Editors work on words, support sees what members see, admins may do both and act for members. */
  role: 'editor' | 'support' | 'admin'
  /** The programs the operator may work on; null stands for all. */
  partners: readonly string[] | null
}

export interface ConsoleSession {
  operator: Operator
  idHash: Buffer
  /** Stands in every form. */
  csrfToken: string
  /** Whether the operator has shown a passkey in this session. */
  isProven: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on the pages of signing in. */
    consoleSession: ConsoleSession | null
  }
}
