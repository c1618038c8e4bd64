// The policy of our pages allows no code made from text. Zod would try, and the browser would report it each time. Its
// settings are set on the object that it looks for, since an import would bring the validator to every page.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
