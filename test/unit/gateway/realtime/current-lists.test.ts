import test from 'ava'
import type { ListCache, ListConfig } from '#services/gateway/resources/lists/list-cache.ts'
import { createCurrentLists } from '#services/gateway/resources/realtime/current-lists.ts'

const config = {} as ListConfig

/** A cache; the test ends its reads. */
function heldReads() {
  const reads: (() => void)[] = []
  const lists: ListCache = {
    get: () => Promise.resolve(config),
    isCurrent: () => new Promise((resolve) => reads.push(() => resolve(true))),
    drop() {},
  }
  return { reads, current: createCurrentLists(lists) }
}

/** Runs everything that does not wait for a read. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('requests before a read begins share it, and later requests do not get its result', async (t) => {
  const { reads, current } = heldReads()
  const first = [current('account', 'list'), current('account', 'list')]
  const other = current('account', 'other')
  await settled()
  t.is(reads.length, 2, 'one for each list')
  const later = [current('account', 'list'), current('account', 'list')]
  await settled()
  t.is(reads.length, 2, 'the next waits for the end of the one before')
  for (const end of reads.splice(0)) end()
  t.deepEqual(await Promise.all([...first, other]), [config, config, config])
  await settled()
  t.is(reads.length, 1)
  reads[0]?.()
  t.deepEqual(await Promise.all(later), [config, config])
})

test('a failed read is not the answer to later requests', async (t) => {
  const failures = [new Error('the database is away')]
  const current = createCurrentLists({
    get: () => Promise.resolve(config),
    isCurrent: async () => {
      const failure = failures.pop()
      if (failure) throw failure
      return true
    },
    drop() {},
  })
  await t.throwsAsync(current('account', 'list'), { message: 'the database is away' })
  t.is(await current('account', 'list'), config)
})
