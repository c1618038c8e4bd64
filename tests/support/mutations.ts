import fc, { type Arbitrary } from 'fast-check'

/** The parts of a request before it is serialized. */
export interface Draft {
  method: string
  host: string
  /** With `:name` for parameters, which are encoded when the target is built. */
  path: string
  params: Record<string, unknown>
  query: Record<string, unknown>
  /** A value to be sent as JSON, as a form or as lines; undefined for no body. */
  body: unknown
  bodyType: 'json' | 'form' | 'lines'
  headers: Record<string, string>
  /** Replaces the target built from `path`, `params` and `query`. */
  target?: string
  /** Replaces the bytes of `body`. */
  bytes?: Buffer
}

type Change = (draft: Draft, at: number) => Draft

const deep = () => JSON.parse(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`)
const badTexts = {
  nul: 'a\0b',
  loneSurrogate: 'a\ud800b',
  reversedSurrogates: '\udc00\ud800',
  emoji: '👩‍👩‍👧 Zoe\u0308',
  long: 'x'.repeat(20_000),
  empty: '',
  pathOut: '../../etc/passwd',
  markup: '<script>alert(1)</script>',
  quote: `'; drop table members; --`,
  percent: '%00%ff%zz',
  number: '9'.repeat(400),
  notANumber: 'NaN',
  firstDay: '0001-01-01',
  yearZero: '0000-00-00',
  lastDay: '9999-12-31',
  noDay: '2026-02-30',
  farDay: '+275760-09-13T00:00:00Z',
  firstInstant: '0001-01-01T00:00:00Z',
  lastInstant: '9999-12-31T23:59:59Z',
  proto: '__proto__',
  constructor: 'constructor',
}
const badValues: Record<string, () => unknown> = {
  ...Object.fromEntries(Object.entries(badTexts).map(([name, text]) => [name, () => text])),
  nothing: () => null,
  yes: () => true,
  minusOne: () => -1,
  fraction: () => 0.1,
  overInt: () => 2 ** 31,
  overSafe: () => 2 ** 53,
  overBigint: () => 2 ** 63,
  huge: () => 1e308,
  list: () => [],
  listOfText: () => ['a', 'b'],
  object: () => ({}),
  deep,
  manyKeys: () => Object.fromEntries(Array.from({ length: 8_000 }, (_, index) => [`k${index}`, 0])),
  manyItems: () => Array.from({ length: 20_000 }, () => ({})),
  protoKey: () => JSON.parse('{"__proto__":{"polluted":1}}'),
  constructorKey: () => ({ constructor: { prototype: { polluted: 1 } } }),
}

type Holder = Record<string | number, unknown>

/** Values nested deeper stay as they are: structuredClone is recursive, and a request is cloned for each change. */
const maxDepth = 100

/** Returns the positions in a value, as holder and key. */
function placesOf(root: Holder): [Holder, string | number][] {
  const places: [Holder, string | number][] = []
  const waiting: [value: unknown, depth: number][] = [[root, 0]]
  for (let next = waiting.pop(); next !== undefined && places.length < 2_000; next = waiting.pop()) {
    const [value, depth] = next
    if (typeof value !== 'object' || value === null || depth === maxDepth) continue
    for (const key of Object.keys(value)) {
      places.push([value as Holder, key])
      waiting.push([(value as Holder)[key], depth + 1])
    }
  }
  return places
}

/** Changes one of the values of a request, in a copy; the whole body may be replaced. */
function atPlace(change: (holder: Holder, key: string | number) => void): Change {
  return (draft, at) => {
    const { params, query, body } = structuredClone({ params: draft.params, query: draft.query, body: draft.body })
    const root: Holder = { body }
    const places = [...placesOf(params), ...placesOf(query), ...(body === undefined ? [] : placesOf(root))]
    const place = places[at % Math.max(1, places.length)]
    if (place) change(...place)
    return { ...draft, params, query, body: root.body }
  }
}

const targets = [
  '//%00',
  '//[',
  '//:99999/',
  '/\\[',
  '/%',
  '/%00',
  '/%c0%af',
  '*',
  '',
  '/a//b',
  '/%2e%2e/',
  '/?%',
  '/??',
]
const odd = {
  contentType: ['text/plain', 'application/xml', 'multipart/form-data', 'application/json; charset=utf-16', ';', ''],
  origin: ['null', 'https://evil.example', '//', 'http://[', ''],
  cookie: ['sid=%00', 'sid=', 'publicId=%00; sid=x', '=;;=', 'mode=%ED%A0%80; device=%00', `sid=${'x'.repeat(4_000)}`],
  host: [
    'evil.example',
    '',
    '[',
    '..',
    'skyharbor.localhost:99999',
    'skyharbor.localhost@evil',
    'a b',
    '\u00e9.localhost',
  ],
  'sec-fetch-site': ['cross-site', 'same-site', 'none', 'x'],
  accept: ['text/html', '*/*', 'application/xml', ''],
  'user-agent': ['', 'x'.repeat(5_000), '\u00ff\u00fe'],
  'x-xsrf-token': ['', 'x', 'null', '\u00ff'],
  'content-length': ['0', '-1', 'x', '99999999'],
  'x-forwarded-host': ['evil.example', '[', ''],
  expect: ['100-continue', 'x'],
  'accept-encoding': ['gzip', 'br', 'zstd, *;q=0', 'x'],
  authorization: ['Bearer x', 'Basic', '\u00ff'],
} satisfies Record<string, string[]>

const bodies = ['{', '[', '"', '{"a":1,}', 'null', '1', '"text"', '\ufeff{}', '{"a":\u0000}', '{"a":"\\u0000"}', '[[]]']

/** Mutations of the whole request. */
const requestChanges: Record<string, Change> = {
  target: (draft, at) => ({ ...draft, target: targets[at % targets.length] as string }),
  method: (draft, at) => ({
    ...draft,
    method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'][at % 7] as string,
  }),
  brokenBody: (draft, at) => ({ ...draft, bytes: Buffer.from(bodies[at % bodies.length] as string) }),
  binaryBody: (draft) => ({ ...draft, bytes: Buffer.from([0, 255, 254, 192, 128, 237, 160, 128]) }),
  nestedBody: (draft) => ({ ...draft, bytes: Buffer.from('['.repeat(30_000)) }),
  largeBody: (draft) => ({ ...draft, bytes: Buffer.alloc(70_000, 'x') }),
  noBody: (draft) => ({ ...draft, body: undefined }),
  unnamedKey: (draft) => ({ ...draft, query: { ...draft.query, '': '' } }),
  repeatedKeys: (draft) => ({
    ...draft,
    query: Object.fromEntries(Object.entries(draft.query).map(([name, value]) => [name, [value, value]])),
  }),
  extraKey: (draft, at) => ({
    ...draft,
    query: { ...draft.query, [['__proto__', 'constructor', 'x', 'a[b]', 'q\0'][at % 5] as string]: '1' },
  }),
}

/** Mutations of one value. */
const valueChanges: Record<string, Change> = {
  dropped: atPlace((holder, key) => {
    delete holder[key]
  }),
  renamed: atPlace((holder, key) => {
    holder[`${key}\0`] = holder[key]
  }),
  wrapped: atPlace((holder, key) => {
    holder[key] = [holder[key]]
  }),
}
for (const [name, value] of Object.entries(badValues)) {
  valueChanges[name] = atPlace((holder, key) => {
    holder[key] = value()
  })
}
for (const [name, values] of Object.entries(odd)) {
  const header = name === 'contentType' ? 'content-type' : name
  requestChanges[`header ${header}`] = (draft, at) => ({
    ...draft,
    headers: { ...draft.headers, [header]: values[at % values.length] as string },
  })
}

export interface Mutation {
  how: string
  at: number
}

/** No mutation, or a few. */
export const mutations: Arbitrary<Mutation[]> = fc.array(
  fc.record({
    how: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...Object.keys(valueChanges)) },
      { weight: 1, arbitrary: fc.constantFrom(...Object.keys(requestChanges)) },
    ),
    at: fc.nat(10_000),
  }),
  { maxLength: 3 },
)

/** Returns the draft with all mutations applied in order. */
export function mutate(draft: Draft, list: readonly Mutation[]): Draft {
  return list.reduce(
    (changed, { how, at }) => (({ ...requestChanges, ...valueChanges })[how] as Change)(changed, at),
    draft,
  )
}
