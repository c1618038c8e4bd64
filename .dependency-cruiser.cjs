/** Import rules; ARCHITECTURE.md describes them. */
const order = [
  'partners',
  'content',
  'places',
  'mail',
  'members',
  'notices',
  'bot-check',
  'session',
  'operators',
  'emulation',
  'cards',
  'enrollment',
  'activation',
  'recovery',
  'merchants',
  'bonuses',
  'reservations',
  'rewards',
  'reviews',
  'claims',
  'surveys',
  'tracking',
  'privacy',
  'pwa',
  'staging',
]
const noun = '^src/(?!app/|kit/|ui/)([^/]+)/'
const root = '^src/(?!app/|kit/|ui/)[^/]+/(?!member/|console/)[^/]+[.]ts$'
const pages = '^src/[^/]+/(member|console)/'
const portable =
  '/(contract|names|rules|terms|findings|offers|fixtures|copy|rates|search-address|frame-message|form-definition|explain|return-path|pending-choice|consent-topics|hosts|theme|theme-contrast)[.]ts$|^src/kit/[^/]+$'
const forbid = (name, from, to, not) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '[.]test[.]tsx?$' },
  to: { path: to, dependencyTypesNot: ['type-only'], ...(not && { pathNot: not }) },
})

module.exports = {
  forbidden: [
    forbid('pages-see-portable-only', pages, `${root}|/server/`, portable),
    forbid('spine-sees-no-page', root, pages),
    forbid('faces-are-strangers', '/(member|console)/', '/(member|console)/', '/$1/'),
    forbid(
      'portable-stays-portable',
      '^src/[^/]+/(contract|rules|terms|findings|offers|copy)[.]ts$',
      '^src/',
      portable,
    ),
    forbid('front-door', noun, noun, `^src/$1/|/service[.]ts$|/embed/|${portable}|/context[.]ts$|/cookies[.]ts$`),
    forbid('kit-and-ui-know-no-noun', '^src/(kit|ui)/', '^src/(?!kit/|ui/)'),
    forbid('only-app-sees-all', noun, '^src/app/'),
    forbid(
      'vault-is-apart',
      '^vault/',
      '^src/',
      '^src/kit/|^src/cards/(contract|rules|copy|frame-message|seal-card|publishable-key)',
    ),
    forbid('forms-is-apart', '^forms/(?!main)', '^src/', '^src/kit/|^src/surveys/form-definition'),
    forbid('id-is-apart', '^id/', '^src/', '^src/kit/'),
    ...order.map((name, index) =>
      forbid(
        `left-of-${name}`,
        `^src/${name}/(?!member/|console/)[^/]+[.]ts$`,
        `^src/(${order.slice(index + 1).join('|') || '-'})/service`,
      ),
    ),
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'bundle-holds-no-spine',
      severity: 'error',
      from: { path: '^src/app/web/entry[.]client[.]tsx$' },
      to: { path: '^src/.*/(service|store|routes)[.]ts$|^src/kit/server/', reachable: true },
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
