// Our CSP forbids eval. Zod would try it, and the browser would report a violation each time. The setting is made on
// the global object that zod reads, because an import would add the validator to every page.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
