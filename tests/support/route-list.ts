import type { FastifyInstance } from 'fastify'

/** Returns the path of every route of an app that answers a method, with its parameters, such as `/art/:publicId`. */
export function pathsOf(app: FastifyInstance, method: string): string[] {
  const parents: string[] = []
  const paths: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, part = '', methods = ''] = /^([│ ]*)[├└]── (.*?)(?: \((.*)\))?$/.exec(line) ?? []
    if (indent === undefined) continue
    const depth = indent.length / 4
    // The first level is the root, which the others follow.
    const parent = depth === 0 ? '' : (parents[depth - 1] ?? '')
    parents[depth] = parent === '/' ? `/${part}` : parent + part
    if (methods.split(', ').includes(method)) paths.push(parents[depth])
  }
  return paths.filter((path) => path.startsWith('/'))
}
