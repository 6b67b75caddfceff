import test from 'ava'
import { unlessGone } from '#services/dashboard/api/unless-gone.ts'

test('only what the service reports as missing counts as deleted: another failure stays a failure', async (t) => {
  const failing = (status: number) => Promise.reject(Object.assign(new Error('no'), { status }))
  t.is(await unlessGone(Promise.resolve('it'), 'gone'), 'it')
  t.is(await unlessGone(failing(404), 'gone'), 'gone')
  await t.throwsAsync(unlessGone(failing(503), 'gone'), { message: 'no' })
})
