import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = (file: string) => readFileSync(`src/ui/${file}`, 'utf8')
const token = (name: string) => new RegExp(`--${name}: ([^;]+);`).exec(css('tokens.css'))?.[1]

test('SHELL-039 SHELL-040 SHELL-042 CONST-018 CONST-019 the shared sizes have the specified values and are used', () => {
  expect(['spinner-size', 'spinner-space', 'spinner-border'].map(token)).toEqual(['60px', '60px', '6px'])
  expect(['modal-width', 'toast-width', 'bar-height'].map(token)).toEqual(['650px', '550px', '45px'])
  expect(['content-min', 'content-width', 'content-wide'].map(token)).toEqual(['320px', '1050px', '1400px'])
  for (const name of ['spinner-size', 'spinner-space', 'spinner-border']) {
    expect(css('Spinner.module.css')).toContain(`var(--${name})`)
  }
  expect(css('Dialog.module.css')).toContain('var(--modal-width)')
  expect(css('Toasts.module.css')).toContain('var(--toast-width)')
})

test('a margin, padding or gap that equals a spacing token uses the token', () => {
  const sizes = new Set([...css('tokens.css').matchAll(/--space-\d: ([^;]+);/g)].map(([, size]) => size))
  expect(sizes.size).toBe(7)
  const literal = globSync('src/**/*.module.css').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\s*((?:margin|padding|(?:row-|column-)?gap)[a-z-]*:[^;]*);/gm)]
      .filter(([, declaration = '']) => !/(calc|clamp|min|max)\(/.test(declaration))
      .filter(([, declaration = '']) => declaration.split(/[\s:]+/).some((value) => sizes.has(value)))
      .map(([, declaration]) => `${file}: ${declaration}`),
  )
  expect(literal).toEqual([])
})

test('an endless animation only moves, turns or fades, which needs no new painting of the page', () => {
  const drawn = globSync('src/**/*.css').flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return [...text.matchAll(/animation: ([\w-]+)[^;]*\binfinite\b/g)].flatMap(([, name]) => {
      const [, frames = ''] = new RegExp(`@keyframes ${name} \\{([\\s\\S]*?)\\n\\}`).exec(text) ?? []
      const changed = [...frames.matchAll(/([\w-]+):/g)].map(([, property = '']) => property)
      if (changed.length === 0) return [`${file}: ${name} is not defined here`]
      return changed
        .filter((property) => !['translate', 'rotate', 'scale', 'transform', 'opacity'].includes(property))
        .map((property) => `${file}: ${name} changes ${property}`)
    })
  })
  expect(drawn).toEqual([])
})
