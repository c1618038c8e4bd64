import { testProgram } from './test-program.ts'

testProgram('orchard', { hasMembers: true })
