// Components run as in a browser (page-dom.ts): Vitest says before each file that they run on a server, whose pages are
// rendered by its build.
process.env.SSR = ''

// React's development build records the stack of every element; Vitest raises this limit to a hundred.
Error.stackTraceLimit = 15
