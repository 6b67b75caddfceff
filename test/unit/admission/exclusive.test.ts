import test from 'ava'
import { createExclusive, type Exclusive } from '#shared/admission/exclusive.ts'

/** Requests keys; `entered` is set once the caller may enter. */
function ask(exclusive: Exclusive, ...keys: string[]) {
  const asked: { entered?: Disposable; promise: Promise<Disposable> } = { promise: exclusive(keys) }
  asked.promise.then(
    (section) => {
      asked.entered = section
    },
    () => {},
  )
  return asked
}

/** Lets every caller enter that may enter now: that takes a few turns of the microtask queue. */
async function settled(): Promise<void> {
  for (let n = 0; n < 10; n++) await Promise.resolve()
}

const leave = ({ entered }: { entered?: Disposable }) => entered?.[Symbol.dispose]()

test('callers with the same key enter one after the other, in the order of arrival', async (t) => {
  const exclusive = createExclusive(10)
  const asked = [1, 2, 3].map(() => ask(exclusive, 'a'))
  for (const [n, one] of asked.entries()) {
    await settled()
    t.deepEqual(
      asked.map(({ entered }) => entered !== undefined),
      asked.map((_, other) => other <= n),
    )
    leave(one)
  }
})

test('callers with different keys do not wait for each other', async (t) => {
  const exclusive = createExclusive(10)
  const [first, second] = [ask(exclusive, 'a'), ask(exclusive, 'b')]
  await settled()
  t.truthy(first.entered)
  t.truthy(second.entered)
})

test('several keys are acquired together: two callers that name them in another order both get them', async (t) => {
  const exclusive = createExclusive(10)
  const [first, second, third] = [ask(exclusive, 'a', 'b'), ask(exclusive, 'b', 'a'), ask(exclusive, 'b')]
  await settled()
  t.truthy(first.entered)
  t.falsy(second.entered)
  leave(first)
  await settled()
  t.truthy(second.entered)
  t.falsy(third.entered)
  leave(second)
  await settled()
  t.truthy(third.entered)
})

test('callers without a key do not wait', async (t) => {
  const exclusive = createExclusive(0)
  t.truthy(await exclusive([]))
})

test('beyond the bound a caller is rejected at once, and the order of the waiting ones stays', async (t) => {
  const exclusive = createExclusive(1)
  const [first, second] = [ask(exclusive, 'a'), ask(exclusive, 'a')]
  await t.throwsAsync(exclusive(['a']), { name: 'SERVICE_UNAVAILABLE' })
  await settled()
  t.falsy(second.entered)
  leave(first)
  await settled()
  t.truthy(second.entered)
  leave(second)
  t.truthy(await exclusive(['a']))
})

test('a key is in use while a caller has entered or waits with it', async (t) => {
  const exclusive = createExclusive(10)
  const taken = () => ['a', 'b', 'c'].map((key) => exclusive.isTaken([key]))
  const [first, second] = [ask(exclusive, 'a', 'b'), ask(exclusive, 'b')]
  await settled()
  t.deepEqual(taken(), [true, true, false])
  leave(first)
  t.deepEqual(taken(), [false, true, false])
  await settled()
  leave(second)
  t.deepEqual(taken(), [false, false, false])
  t.false(exclusive.isTaken([]))
})
