import test from 'ava'
import { createSigner, type Signed } from '#services/supervisor/remote/webhooks/signer.ts'

function world() {
  const asked: string[][] = []
  let now = 0
  const sign = async (ids: readonly string[]): Promise<Signed[]> => {
    asked.push([...ids])
    return ids.map((id) => ({ id, headers: { signed: `${id} at ${now}` }, omitted: [] }))
  }
  const get = createSigner({ sign, now: () => now })
  const signedBy = async (ids: readonly string[]) => (await get(ids)).headers.signed
  return { asked, sign: signedBy, wait: (ms: number) => (now += ms) }
}

const ids = Array.from({ length: 120 }, (_, n) => `delivery ${n}`)

test('one call signs the next fifty deliveries', async (t) => {
  const { asked, sign } = world()
  for (const n of ids.keys()) t.is(await sign(ids.slice(n)), `delivery ${n} at 0`)
  t.deepEqual(
    asked.map(({ length }) => length),
    [50, 50, 20],
  )
})

test('a signature that receivers would soon reject is renewed', async (t) => {
  const { asked, sign, wait } = world()
  await sign(['a', 'b'])
  wait(239_999)
  t.is(await sign(['b']), 'b at 0')
  wait(1)
  t.is(await sign(['b', 'c']), 'b at 240000')
  t.deepEqual(asked, [
    ['a', 'b'],
    ['b', 'c'],
  ])
})

test('an answer without the delivery is an error', async (t) => {
  const get = createSigner({ sign: async () => [], now: () => 0 })
  await t.throwsAsync(get(['a']), { message: 'the server did not sign the delivery a.' })
})
