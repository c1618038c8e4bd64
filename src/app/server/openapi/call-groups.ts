import type { CallSpec } from '../../../platform/call.ts'
import type { AnyExample, CallGroup } from '../../../platform/call-examples.ts'
import { modules } from '../../modules.ts'

/** All groups, in the order of the API description. */
export const callGroups: readonly CallGroup[] = modules
  .flatMap(({ examples }) => examples ?? [])
  .toSorted((a, b) => a.place - b.place)

const byId = new Map(
  callGroups
    .toSorted((a, b) => (a.pathsPlace ?? a.place) - (b.pathsPlace ?? b.place))
    .flatMap(({ tag, examples }) => examples.map(({ call, example }) => ({ id: call.id, tag, example })))
    .map((found, place) => [found.id, { ...found, place }] as const),
)

/** Returns the tag, the example and the place of a call among all. Throws when its module has no example. */
export function findExample({ id }: CallSpec): { tag: string; example: AnyExample; place: number } {
  // Content has further routes in some programs: `getContent_beacon_cms` is `getContent` at `/beacon/cms`.
  const found = byId.get(id) ?? byId.get(id.replace(/_.*/, ''))
  if (!found) throw new Error(`${id} has no example: add one to examples.ts of its module`)
  return found
}
