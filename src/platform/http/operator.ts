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
