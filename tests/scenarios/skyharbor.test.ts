import { testProgram } from './test-program.ts'

testProgram('skyharbor', { hasMembers: true })
