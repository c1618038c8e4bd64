import fc from 'fast-check'

// Property tests run for each of many mutants: briefly, and with the same values each time.
fc.configureGlobal({ seed: 1, interruptAfterTimeLimit: 300 })
