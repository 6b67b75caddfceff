import test from 'ava'
import { createLoginTurns } from '#services/identity/login-turns.ts'

test('logins of one name run in order of arrival, even after a failure; those of another name do not wait', async (t) => {
  const takeTurn = createLoginTurns(3)
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
