import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const script = `
import { registerHooks } from 'node:module'
const packages = new Set()
registerHooks({
  resolve(name, context, next) {
    const found = next(name, context)
    const [, folder] = /.*node_modules.((?:@[^/]+.)?[^/]+)/.exec(found.url) ?? []
    if (folder) packages.add(folder)
    return found
  },
})
await import('./scripts/build.ts')
await import('./src/app/server/server.ts')
process.stdout.write([...packages].join(' '))
`

test('a start loads no library that few requests need, and no build tools', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  const loaded = output.split(' ')
  expect(loaded).toContain('fastify')
  const late = ['@simplewebauthn/server', '@zxcvbn-ts/language-common', 'nodemailer', 'oidc-provider', 'pdfkit']
  for (const name of [...late, 'undici', 'vite', 'web-push']) expect(loaded).not.toContain(name)
})
