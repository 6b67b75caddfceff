import test from 'ava'
import { readBlocks } from '#client/src/live/blocks.ts'

/** A body in these pieces; after the last one it ends, fails, or stays open. */
function body(pieces: readonly Uint8Array[], end: 'ends' | 'breaks' | 'stays'): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      if (end === 'ends') controller.close()
    },
    pull(controller) {
      if (end === 'breaks') controller.error(new Error('reset'))
    },
  })
}

const bytes = new TextEncoder().encode(
  'id: 1-a\nevent: item-created\ndata: {"title":"Kräuter\u2028tee",\ndata: "n": 1}\n\n: heartbeat\nid: 2-b\n\nevent: cut',
)

test('blocks are read wherever the stream is split into chunks', async (t) => {
  for (const size of [1, 7, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.slice(n * size, (n + 1) * size),
    )
    const read: string[][] = []
    await readBlocks(body(pieces, 'ends'), new AbortController().signal, (field) =>
      read.push(['id', 'event', 'data'].map(field)),
    )
    t.deepEqual(read, [
      ['1-a', 'item-created', '{"title":"Kräuter\u2028tee",\n"n": 1}'],
      ['2-b', '', ''],
    ])
  }
})

test('a broken stream counts as ended, and a signal ends it', async (t) => {
  let count = 0
  await readBlocks(body([bytes], 'breaks'), new AbortController().signal, () => count++)
  t.is(count, 2)
  const ending = new AbortController()
  await readBlocks(body([bytes], 'stays'), ending.signal, () => {
    count++
    ending.abort()
  })
  t.is(count, 4)
})
