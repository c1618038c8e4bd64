import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { useBotCheck as UseBotCheck } from './use-bot-check.ts'

type Submit = ReturnType<typeof UseBotCheck>

function Form({ useSubmit, forms }: { useSubmit: () => Submit; forms: Submit[] }) {
  forms.push(useSubmit())
  return null
}

test('after a check that could not be loaded, the next attempt loads it again', async () => {
  const createRecaptchaSolver = vi.fn()
  vi.resetModules()
  vi.doMock('./recaptcha.ts', () => ({ createRecaptchaSolver }))
  const { ApiContext } = await import('../../../../platform/browser/write-api.ts')
  const { QueryCache } = await import('../../../../platform/browser/query-cache.ts')
  const { QueryCacheContext } = await import('../../../../platform/browser/use-query.ts')
  const { BootContext } = await import('../../../../programs/partners/member/embed/use-program.ts')
  const { BotCheckError } = await import('./bot-check-solver.ts')
  const { useBotCheck } = await import('./use-bot-check.ts')
  const forms: Submit[] = []
  renderToString(
    <BootContext value={{ flags: { authFlags: { botCheck: true } }, botCheck: { kind: 'recaptcha' } } as never}>
      <ApiContext value={{ call: () => Promise.reject(new Error('not called')) }}>
        <QueryCacheContext value={new QueryCache()}>
          <Form useSubmit={useBotCheck} forms={forms} />
        </QueryCacheContext>
      </ApiContext>
    </BootContext>,
  )
  const attempt = () => forms[0]?.((() => {}) as never, async (token) => `sent with ${token || 'no proof'}`)
  expect(await attempt()).toBe('sent with no proof')
  createRecaptchaSolver.mockRejectedValueOnce(new BotCheckError('bot.gave_up'))
  await expect(attempt()).rejects.toMatchObject({ code: 'botCheck' })
  // Any other failure has its own message, such as that of a missing connection.
  const offline = new Error('offline')
  createRecaptchaSolver.mockRejectedValueOnce(offline)
  await expect(attempt()).rejects.toBe(offline)
  const reset = vi.fn()
  createRecaptchaSolver.mockResolvedValueOnce({ getToken: async () => 'a proof', reset })
  expect([await attempt(), await attempt()]).toEqual(['sent with a proof', 'sent with a proof'])
  expect(createRecaptchaSolver).toHaveBeenCalledTimes(3)
  // A proof counts once: after a form that failed with it, the check begins again.
  expect(reset).not.toHaveBeenCalled()
  const rejected = new Error('rejected')
  await expect(forms[0]?.((() => {}) as never, () => Promise.reject(rejected))).rejects.toBe(rejected)
  await vi.waitFor(() => expect(reset).toHaveBeenCalledOnce(), 20_000)
  expect(await attempt()).toBe('sent with a proof')
  vi.doUnmock('./recaptcha.ts')
})
