import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

/** Functions that the queries of these files call; everything else in a component goes through a hook. */
const queryFiles = [
  'src/identity/members/member/embed/use-member.ts',
  'src/programs/content/member/embed/use-content.ts',
  'src/programs/places/member/embed/position.ts',
]
/** The hook for a write without an action of the user, which is safe to repeat. */
const mutationHooks = 'src/programs/content/member/embed/use-api-mutation.ts'

const screens = globSync('src/**/member/**/*.{ts,tsx}').filter((file) => !file.includes('.test.'))

test('components call the API through queries and mutations only', () => {
  const direct = screens.filter((file) => /\bapi\s*\.call\(/.test(readFileSync(file, 'utf8')))
  expect(direct.toSorted()).toEqual(queryFiles)
})

test('no effect of a component runs a mutation', () => {
  const found = screens.flatMap((file) => {
    if (file === mutationHooks) return []
    return writingEffects(readFileSync(file, 'utf8'), file).map((name) => `${file}: ${name}`)
  })
  expect(found).toEqual([])
})

test('a mutation in an effect is found, also behind a function of the component', () => {
  const component = (rest: string) => `function Page() { const save = useApiMutation(call); ${rest} }`
  const source = (effect: string) => component(`const later = () => save.run({}); useEffect(() => { ${effect} }, [])`)
  expect(writingEffects(source('void save.run({})'), 'x.tsx')).toEqual(['save'])
  expect(writingEffects(source('later()'), 'x.tsx')).toEqual(['later'])
  expect(writingEffects(source('setReady(true)'), 'x.tsx')).toEqual([])
  const taken = 'const { run: mutate } = useApiMutation(call); useLayoutEffect(() => mutate({}), [mutate])'
  expect(writingEffects(component(taken), 'x.tsx')).toEqual(['mutate'])
})

// biome-ignore lint/suspicious/noExplicitAny: any node of any syntax tree
type Node = any

/** Returns the names through which effects of a file run mutations: a mutation's, or a function's that runs one. */
function writingEffects(source: string, file: string): string[] {
  const { program } = parseSync(file, source)
  const nodes = [...walk(program)]
  const names = new Set(
    nodes
      .filter(({ type, init }) => type === 'VariableDeclarator' && calleeOf(init) === 'useApiMutation')
      .flatMap(({ id }) => boundNames(id)),
  )
  const functions = nodes.flatMap((node: Node) => {
    if (node.type === 'FunctionDeclaration') return [{ name: node.id?.name, body: node.body }]
    const isFunction = node.type === 'VariableDeclarator' && /Function/.test(node.init?.type ?? '')
    return isFunction ? boundNames(node.id).map((name) => ({ name, body: node.init.body })) : []
  })
  for (let before = -1; before < names.size; ) {
    before = names.size
    // A component is a function too: it renders the mutation and runs nothing.
    for (const { name, body } of functions)
      if (/^[a-z]/.test(name) && usedNames(body, names).length > 0) names.add(name)
  }
  const effects = nodes.filter((node) => /^use(Layout)?Effect$/.test(calleeOf(node) ?? ''))
  return [...new Set(effects.flatMap((effect: Node) => usedNames(effect.arguments[0], names)))]
}

const calleeOf = (node: Node): string | undefined =>
  node?.type === 'CallExpression' && node.callee.type === 'Identifier' ? node.callee.name : undefined

function boundNames(id: Node): string[] {
  if (id.type === 'Identifier') return [id.name]
  return id.type === 'ObjectPattern' ? id.properties.flatMap(({ value }: Node) => (value ? boundNames(value) : [])) : []
}

/** The given names that are called, or whose `run` is called. */
function usedNames(node: Node, names: ReadonlySet<string>): string[] {
  return [...walk(node)]
    .filter(({ type }) => type === 'CallExpression')
    .map(({ callee }) => (callee.type === 'MemberExpression' ? callee.object.name : callee.name))
    .filter((name) => names.has(name))
}

function* walk(node: Node): Generator<Node> {
  if (Array.isArray(node)) for (const each of node) yield* walk(each)
  else if (node && typeof node.type === 'string') {
    yield node
    for (const value of Object.values(node)) if (value && typeof value === 'object') yield* walk(value)
  }
}
