import test from 'ava'
import { createKeyedTurns } from '#shared/time/keyed-turns.ts'

test('work of one key runs in the order in which it was given, also after a failure; that of another key does not wait', async (t) => {
  const takeTurn = createKeyedTurns()
  const done: string[] = []
  const { promise: open, resolve } = Promise.withResolvers<void>()
  const first = takeTurn('a', async () => {
    await open
    done.push('first')
    throw new Error('of the first')
  })
  const second = takeTurn('a', async () => void done.push('second'))
  await takeTurn('b', async () => void done.push('other'))
  t.deepEqual(done, ['other'])
  resolve()
  await t.throwsAsync(first, { message: 'of the first' })
  await second
  t.deepEqual(done, ['other', 'first', 'second'])
})
