import { expect, test } from 'vitest'
import { buildIndex } from '../build-index.ts'
import { RowPacker } from '../segment/packed-rows.ts'
import { buildInThread } from './build-in-thread.ts'
import { sampleRow } from './sample-row.ts'

test('a large index is the same when a thread builds it', async () => {
  const pack = () => {
    const packer = new RowPacker()
    for (let id = 1; id <= 5000; id++)
      packer.add({ ...sampleRow, id, publicId: `place-${id}`, name: `Place ${id % 700}` })
    return packer.finish()
  }
  const absent = [6000, 7000].map((id) => ({ ...sampleRow, id }))
  expect(await buildInThread(pack(), absent)).toEqual(buildIndex(pack(), absent))
})
