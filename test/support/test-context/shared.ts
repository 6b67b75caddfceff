import test from 'ava'
import { showAllOnFailure } from './failure-log.ts'
import { collectTeardowns, type Teardown } from './teardown.ts'

/** Undoes what all tests of a file share after the last of them, and shows its logs when one of them fails. */
export function afterAll(): Teardown {
  const undo = collectTeardowns()
  test.afterEach.always(showAllOnFailure)
  test.after.always(() => undo.run())
  return undo
}

/** A resource that all tests of a file share: created before the first test, undone after the last. @returns how a test gets it */
export function shared<T extends object>(make: (t: Teardown) => Promise<T>): () => T {
  const cleanup = afterAll()
  let created: T | undefined
  test.before(async () => {
    created = await make(cleanup)
  })
  return () => {
    if (!created) throw new Error('it is there only while tests run')
    return created
  }
}
