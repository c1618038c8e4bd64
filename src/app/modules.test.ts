import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { modules } from './modules.ts'

/** Files that add something to the app, and why the manifest of their own module leaves them out. */
const leftOut: Readonly<Record<string, string>> = {
  'src/staging/copy.ts': 'only the pages of the staging tools have these messages',
  'src/rewards/feed/routes.ts': 'registered by the routes of rewards/activity',
  'src/rewards/feed/fidel/routes.ts': 'registered by the routes of the feed',
}

const folderOf = (name: string) => `src/${name}`
const own = (file: string) => readFileSync(file, 'utf8')

test('every module has a manifest in its folder, and the list names each once', () => {
  const folders = globSync('src/{programs,identity,dining,rewards,account}/*/').map((path) => path.slice(4))
  // Some folders of the console are parts of its one page.
  const listed = modules.map(({ name }) => name).filter((name) => !name.startsWith('console/'))
  expect(listed.toSorted()).toEqual([...folders, 'platform', 'staging'].toSorted())
  expect(globSync('src/**/module.ts').map(dirname).toSorted()).toEqual(
    modules.map(({ name }) => folderOf(name)).toSorted(),
  )
})

test('a manifest names every file of its module that adds calls, messages, examples or posted forms', () => {
  const files = globSync('src/**/{copy,examples,page-posts,routes,*-routes}.ts').filter(
    // The console registers its own, also those in the folders of modules.
    (file) => !/^src\/app\/|\/console(-kit)?\//.test(file) && !Object.hasOwn(leftOut, file),
  )
  expect(files.length).toBeGreaterThan(70)
  const forgotten = files.filter((file) => {
    const module = modules.find(({ name }) => file.startsWith(`${folderOf(name)}/`))
    return !module || !own(`${folderOf(module.name)}/module.ts`).includes(file.slice(folderOf(module.name).length + 1))
  })
  expect(forgotten).toEqual([])
})

test('a manifest names every posted form of its module', () => {
  const named = modules.flatMap(({ pagePosts }) => pagePosts ?? []).map((post) => post.name)
  const exported = globSync('src/**/page-posts.ts').flatMap((file) =>
    [...own(file).matchAll(/^ {2}name: '(\w+)'/gm)].map(([, name]) => name),
  )
  expect(exported.length).toBeGreaterThan(5)
  expect(named.toSorted()).toEqual(exported.toSorted())
})

test('no two modules have a job, a periodic task or a table of the same name', () => {
  const names = modules.flatMap(({ jobs, tasks, memberTables }) => [
    ...Object.keys(jobs ?? {}).map((name) => `job ${name}`),
    ...Object.keys(tasks ?? {}).map((name) => `task ${name}`),
    ...(memberTables ?? []).map(({ table }) => `table ${table}`),
  ])
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
