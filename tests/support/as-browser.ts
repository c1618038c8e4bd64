// Components run as in a browser (page-dom.ts): Vitest says before each file that they run on a server, whose pages are
// rendered by its build.
process.env.SSR = ''
