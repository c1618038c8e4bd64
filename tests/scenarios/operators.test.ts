import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { recordOperators } from './record-operators.ts'
import { type Stage, startStage } from './stage.ts'

vi.mock('leaflet', () => ({ default: {} }))

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
})
afterAll(() => stage?.stop())

test('what an operator, the staging tools, and a card that moves between programs write, and what the console says', async () => {
  const { writes, pages } = await recordOperators(stage)
  await expect(writes).toMatchFileSnapshot('operators/writes.txt')
  await expect(pages).toMatchFileSnapshot('operators/pages.txt')
})
