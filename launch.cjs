// Runs a script of this project with the project's own Node, after installing missing packages. Plain CommonJS for Node
// 18 and later: this is the only file that an old Node must parse.
'use strict'
const { spawn, spawnSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const { existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { constants } = require('node:os')
const { join } = require('node:path')

const root = __dirname
const stamp = join(root, 'node_modules', '.dineback-lock')
const windows = process.platform === 'win32'
const bundledNode = join(root, 'node_modules', ...(windows ? ['node', 'bin', 'node.exe'] : ['.bin', 'node']))

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

function isInstalled() {
  if (!existsSync(bundledNode)) return false
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash()) return true
  if (!matchesNpmRecord()) return false
  writeFileSync(stamp, lockHash())
  return true
}

// A manual `npm install` is accepted too: npm writes this file last.
function matchesNpmRecord() {
  try {
    const read = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8')).packages
    const installed = read('node_modules', '.package-lock.json')
    return Object.entries(read('package-lock.json')).every(
      ([path, { version, optional }]) =>
        path === '' || (installed[path] ? installed[path].version === version : optional === true),
    )
  } catch {
    return false
  }
}

function install() {
  process.stdout.write('\n  Installing packages (once; a minute or two)\n\n')
  rmSync(stamp, { force: true })
  // The web is built here, so the build tools are needed in production too.
  const result = spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: windows,
  })
  if (result.error) {
    process.stderr.write(`\n  npm could not be started (${result.error.message}). It comes with Node.js.\n`)
    process.exit(1)
  }
  if (result.status !== 0) {
    process.stderr.write('\n  npm ci did not succeed. Can npm reach its registry?\n')
    process.exit(result.status || 1)
  }
  if (!existsSync(bundledNode)) {
    process.stderr.write('\n  The bundled Node is missing: were install scripts switched off?\n')
    process.exit(1)
  }
  // Written last, so that an interrupted install never looks complete.
  writeFileSync(stamp, lockHash())
}

const [verb, ...args] = process.argv.slice(2)
if (!/^[a-z-]+$/.test(verb || '') || !existsSync(join(root, 'scripts', `${verb}.ts`))) {
  process.stderr.write('usage: node launch.cjs start|dev|test|reset [arguments]\n')
  process.exit(2)
}
if (!isInstalled()) install()
// Node stores compiled modules here, which halves the time that a process takes to load. It ignores a folder that it
// cannot write, and files that do not match the source.
const compiled = process.env.NODE_COMPILE_CACHE || join(root, 'node_modules', '.cache', 'node')
// The project's own Node is first on the path for everything that the script starts.
const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(windows ? ';' : ':')
// A large machine's default is a young generation of 64 MB and more, which a start fills and never returns. With 8, pages take
// the same CPU time as with 16; with 4, a fifth more.
const flags = verb === 'start' ? ['--max-semi-space-size=8'] : []
// Each thread would reserve memory of its own otherwise (glibc).
const memory = verb === 'start' ? { MALLOC_ARENA_MAX: '2' } : {}
const child = spawn(bundledNode, [...flags, join('scripts', `${verb}.ts`), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...memory, ...process.env, PATH: path, NODE_COMPILE_CACHE: compiled },
})
// The child decides when it has stopped. A terminal's Ctrl+C has reached it already.
process.on('SIGTERM', () => child.kill('SIGTERM'))
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
child.on('error', (error) => {
  process.stderr.write(`${bundledNode} could not be started: ${error.message}\n`)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code === null ? 128 + constants.signals[signal] : code))
