import test from 'ava'
import type { Teardown } from '../http/gateway.ts'

/** What all tests of a file share: made before the first of them, undone after the last. @returns how a test gets it */
export function shared<T extends object>(make: (t: Teardown) => Promise<T>): () => T {
  const undo = new AsyncDisposableStack()
  let made: T | undefined
  test.before(async () => {
    made = await make({ teardown: (run) => undo.defer(async () => void (await run())) })
  })
  test.after.always(() => undo.disposeAsync())
  return () => {
    if (!made) throw new Error('it is there only while tests run')
    return made
  }
}
