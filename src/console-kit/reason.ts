import { z } from 'zod'

/**
 * Why an operator does something, for the audit log. Its box takes several lines, so a call that receives it names it in
 * `multiline`.
 */
export const reason = z.string().trim().min(3, 'console.reason').max(200, 'console.reason')
