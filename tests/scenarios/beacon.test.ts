import { testProgram } from './test-program.ts'

testProgram('beacon', { hasMembers: true })
