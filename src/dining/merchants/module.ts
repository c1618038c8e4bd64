import type { Module } from '../../platform/manifest.ts'
import { type ArtDeps, artRoutes } from './art/routes.ts'
import { toSubject } from './art/social-image.ts'
import { findShown } from './catalog/merchant-page.ts'
import { merchantsCopy } from './copy.ts'
import { merchantExamples } from './examples.ts'
import { merchantRoutes } from './routes.ts'

type Needs = Parameters<typeof merchantRoutes>[1] & Pick<ArtDeps, 'programImage'>

export const merchantsModule: Module<Needs> = {
  name: 'dining/merchants',
  messages: merchantsCopy,
  examples: merchantExamples,
  routes(app, { model, reservationProviders, programImage }) {
    merchantRoutes(app, { model, reservationProviders })
    artRoutes(app, {
      async find(ctx, publicId) {
        // The search has no restaurant that has left.
        const merchant = model.bySlug(publicId) ?? (await findShown(ctx, publicId))
        return merchant && toSubject(merchant)
      },
      programImage,
    })
  },
}
