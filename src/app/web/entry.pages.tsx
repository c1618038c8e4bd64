/** The pages that are rendered on the server only, without a script of the app: see `ServerPages`. */
export * from '../../console/impersonation/pages.tsx'
export * from '../../console/operators/pages.tsx'
export * from '../../console/studio/pages.tsx'
export { MessagePage, renderConsolePage } from '../../console/ui/console-page.tsx'
export { renderOfflinePage } from '../../programs/pwa/offline-page.tsx'
export { renderPlainPage } from '../../ui/static-page.tsx'
export { renderGallery } from '../server/gallery-page.tsx'
export { renderReference } from '../server/openapi/reference-page.tsx'
