import { testProgram } from './test-program.ts'

testProgram('gallonaire', { hasMembers: true })
