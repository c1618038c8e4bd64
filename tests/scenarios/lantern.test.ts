import { testProgram } from './test-program.ts'

testProgram('lantern', { hasMembers: false })
