/** Import rules; ARCHITECTURE.md describes them. */

const { readFileSync } = require('node:fs')

/** Returns the folders of all modules in the order of their list, whose imports name the folders. */
function listedModules() {
  const text = readFileSync(`${__dirname}/src/app/modules.ts`, 'utf8')
  const folders = new Map(
    [...text.matchAll(/^import \{ (\w+) \} from '\.\.\/(.+)\/module\.ts'$/gm)].map(([, name, folder]) => [
      name,
      folder,
    ]),
  )
  const list = [...text.slice(text.indexOf('= [')).matchAll(/^ {2}(\w+),$/gm)].map(([, name]) => folders.get(name))
  if (list.length !== folders.size || list.includes(undefined)) throw new Error('src/app/modules.ts has another form')
  return list
}

/** The modules from the lowest to the highest: a module imports only modules above it in this list. */
const [lowest, partners, ...others] = listedModules()
const order = [
  lowest,
  'ui',
  partners,
  'console-kit',
  ...others,
  'console/team',
  'console/flags',
  'console/jobs',
  'console/health',
  'console/api',
  'console/home',
  'console/search',
  'console/shell',
  'app',
  'default-messages.ts',
]

/** Imports against the order: components of a page that belong to a higher module. */
const exceptions = {
  'programs/content': ['identity/members', 'identity/enrollment', 'dining/merchants', 'default-messages.ts'],
  'programs/tracking': ['identity/members'],
  'programs/surveys': ['identity/members'],
  'dining/merchants': ['dining/reservations', 'rewards/activity'],
  'dining/reservations': ['rewards/cards'],
}

const module_ =
  '^src/(programs/[^/]+|identity/[^/]+|dining/[^/]+|rewards/[^/]+|account/[^/]+|console/[^/]+|console-kit|staging)/'
const screens = '/member/'
const portable = [
  '/(contract|forms|names|rules|terms|reasons|offers|copy|rates|explain|hosts|theme|palette|theme-contrast|logo)[.]ts$',
  '/(search-address|frame-message|form-definition|return-path|signed-out|pending-choice|activity-filter|consent-topics)[.]ts$',
  '^src/programs/content/(messages|blocks|banners|audience)[.]ts$',
  '^src/platform/[^/]+$',
]
/** The path of a transaction: these modules import each other's files. */
const pipeline = '^src/rewards/(earning|ledger|settlement|payouts|awards|feed|activity)/'
const forbid = (name, from, to) => ({
  name,
  severity: 'error',
  from: { ...from, pathNot: ['[.]test[.]tsx?$', ...(from.pathNot ?? [])] },
  to,
})
const atRunTime = (rule) => ({ ...rule, to: { ...rule.to, dependencyTypesNot: ['type-only'] } })

module.exports = {
  forbidden: [
    atRunTime(
      forbid(
        'screens-import-portable-files',
        { path: screens },
        { path: `${module_}|^src/platform/`, pathNot: [screens, '^src/platform/browser/', ...portable] },
      ),
    ),
    // Not even types: a screen finds them in `contract.ts`.
    forbid('screens-import-no-schemas', { path: screens }, { path: '/schemas[.]ts$' }),
    atRunTime(
      forbid(
        'browsers-load-no-schemas',
        { path: ['^src/(app/web|app/shell|platform/browser|ui)/', ...portable] },
        { path: '/schemas[.]ts$' },
      ),
    ),
    forbid('server-imports-no-screen', { path: module_, pathNot: [screens] }, { path: screens }),
    atRunTime(
      forbid(
        'portable-files-stay-portable',
        {
          path: '/(contract|forms|rules|terms|reasons|offers|copy)[.]ts$|^src/programs/content/(messages|blocks|banners|audience)[.]ts$',
        },
        { path: '^src/', pathNot: portable },
      ),
    ),
    atRunTime(
      forbid(
        'modules-import-services',
        { path: module_, pathNot: ['^src/console/'] },
        {
          path: module_,
          pathNot: [
            '^src/$1/',
            '/(service|schemas)[.]ts$',
            '/embed/',
            '/(context|cookies)[.]ts$',
            pipeline,
            '^src/console/ui/',
            '^src/console-kit/',
            ...portable,
          ],
        },
      ),
    ),
    // Node runs the server from its sources and cannot load TSX: pages reach it in the build of entry.pages.tsx.
    atRunTime(
      forbid(
        'node-loads-no-tsx',
        { path: '^(src|scripts|db)/.*[.]ts$', pathNot: [screens, '^src/(ui|platform/browser|app/web)/'] },
        { path: '[.]tsx$' },
      ),
    ),
    forbid('screens-are-private', { path: module_ }, { path: screens, pathNot: ['^src/$1/', '/embed/'] }),
    forbid(
      'stores-are-private',
      { path: module_, pathNot: [pipeline, '^src/console/'] },
      { path: 'store[.]ts$', pathNot: ['^src/$1/'] },
    ),
    forbid(
      'platform-and-ui-know-no-module',
      { path: '^src/(platform|ui)/' },
      { path: '^src/', pathNot: ['^src/(platform|ui)/'] },
    ),
    atRunTime(
      forbid(
        'only-mutations-write',
        {
          path: '^src/',
          pathNot: [
            '^src/programs/content/member/embed/use-api-mutation[.]ts$',
            '^src/platform/browser/query[.]ts$',
            '^src/app/web/App[.]tsx$',
          ],
        },
        { path: '^src/platform/browser/write-api[.]ts$' },
      ),
    ),
    forbid('only-app-imports-app', { path: module_ }, { path: '^src/app/' }),
    forbid(
      'vault-is-apart',
      { path: '^vault/' },
      {
        path: '^src/',
        pathNot: [
          '^src/platform/',
          '^src/rewards/cards/(contract|rules|copy|frame-message|seal-card|publishable-key)[.]ts$',
        ],
      },
    ),
    forbid(
      'forms-is-apart',
      { path: '^forms/', pathNot: ['^forms/main[.]ts$'] },
      { path: '^src/', pathNot: ['^src/platform/', '^src/programs/partners/form-definition[.]ts$'] },
    ),
    forbid('id-is-apart', { path: '^id/' }, { path: '^src/', pathNot: ['^src/platform/'] }),
    {
      name: 'source-imports-no-tests',
      severity: 'error',
      from: { path: '^(src|vault|forms|id|db)/' },
      to: { path: '^(tests|bench|scripts)/' },
    },
    ...order.map((name, index) =>
      forbid(
        `order-of-${name.replace('/', '-')}`,
        // A folder that is in the list itself is as high as its own entry.
        {
          path: `^src/${name}`,
          pathNot: order.filter((other) => other.startsWith(`${name}/`)).map((other) => `^src/${other}`),
        },
        {
          path: `^src/(${order.slice(index + 1).join('|') || '-'})`,
          ...(exceptions[name] && { pathNot: [`^src/(${exceptions[name].join('|')})`] }),
        },
      ),
    ),
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'browser-loads-no-server-file',
      severity: 'error',
      from: { path: '^src/app/web/entry[.]client[.]tsx$' },
      to: {
        path: '^src/.*/(service|store|routes)[.]ts$|^src/platform/(http|database|security|config|images|files)/',
        reachable: true,
      },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^node_modules|[.]css$|[.]json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node'],
    },
  },
}
