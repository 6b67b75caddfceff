import test from 'ava'
import { createTimeSlices, inTimeSlices, mapInTimeSlices, untilLoopIsFree } from '#shared/time/time-slices.ts'

test('work that pauses between its steps lets the event loop continue, however many steps it has', async (t) => {
  const pause = createTimeSlices()
  let served = false
  setImmediate(() => {
    served = true
  })
  while (!served) await pause()
  t.true(served)
})

test('work in steps lets the event loop continue between them, and returns its result', async (t) => {
  let served = false
  setImmediate(() => {
    served = true
  })
  function* steps() {
    while (!served) yield
    return 'done'
  }
  t.is(await inTimeSlices(steps()), 'done')
  t.deepEqual(await mapInTimeSlices([1, 2], (n) => n * 2), [2, 4])
})

test('each of several long steps that are ready at once gets its own iteration of the event loop', async (t) => {
  let iteration = 0
  let isOver = false
  const count = () => {
    iteration++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const step = async () => {
    await untilLoopIsFree()
    return iteration
  }
  const took = await Promise.all([step(), step(), step()])
  const later = await step()
  isOver = true
  t.is(new Set([...took, later]).size, 4)
})

test('several works in slices at the same time share the slices, and each completes', async (t) => {
  let iteration = 0
  let isOver = false
  const count = () => {
    iteration++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const seen = new Map<number, Set<string>>()
  async function work(name: string) {
    const pause = createTimeSlices()
    const took = new Set<number>()
    while (took.size < 5) {
      await pause()
      took.add(iteration)
      seen.set(iteration, (seen.get(iteration) ?? new Set()).add(name))
    }
  }
  await Promise.all([work('a'), work('b')])
  isOver = true
  const shared = [...seen].filter(([, names]) => names.size > 1)
  t.true(shared.length <= 1, 'only before the first slice was used up')
})
