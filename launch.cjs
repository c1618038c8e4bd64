// Runs a script of this project on the Node that the project brings, after installing what is missing.
// Plain CommonJS for any Node from 18 on: this is the one file that an old Node has to read.
'use strict'
const { spawn, spawnSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
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
  return existsSync(bundledNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash()
}

function install() {
  process.stdout.write('\n  Installing packages (once; a minute or two)\n\n')
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: windows,
  })
  if (result.error || result.status !== 0) {
    process.stderr.write('\n  npm ci did not succeed. Is npm installed, and can it reach its registry?\n')
    process.exit(result.status || 1)
  }
  if (!existsSync(bundledNode)) {
    process.stderr.write('\n  The bundled Node is missing: were install scripts switched off?\n')
    process.exit(1)
  }
  // Written last, so that an interrupted install never looks like a finished one.
  writeFileSync(stamp, lockHash())
}

const [verb, ...args] = process.argv.slice(2)
if (!/^[a-z-]+$/.test(verb || '')) {
  process.stderr.write('usage: node launch.cjs start|dev|test|reset [arguments]\n')
  process.exit(2)
}
if (!isInstalled()) install()
// The project's own Node comes first on the path, for whatever the script starts.
const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(windows ? ';' : ':')
const child = spawn(bundledNode, [join('scripts', `${verb}.ts`), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: path },
})
// The child decides when it has finished stopping.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code === null ? (signal === 'SIGKILL' ? 137 : 1) : code))
