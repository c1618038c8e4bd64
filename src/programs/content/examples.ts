import { type CallGroup, example } from '../../platform/call-examples.ts'
import { getContent, getProgramVersion } from './contract.ts'
import * as schemas from './schemas.ts'

export const contentExamples: CallGroup = {
  tag: 'Content',
  place: 20,
  description: 'Pages and messages of the program, as its editors released them.',
  examples: [
    example(getContent, schemas.getContent, {
      params: { contentType: 'pages', contentName: 'popup' },
      query: { page_size: 100 },
      reply: {
        data: [
          {
            slug: 'welcome',
            fields: {
              title: 'Welcome aboard',
              body_text: '<p>Join with this invitation and earn 500 {currencyName} on your first dine.</p>',
              url: '/earn/new-member-bonus',
              audience: 'visitors',
            },
          },
        ],
      },
    }),
    example(getProgramVersion, schemas.getProgramVersion, { reply: { version: 'GTom9U2h1kqf.lG95Svuo' } }),
  ],
}
