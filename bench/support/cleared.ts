import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What outlives this process unless it is disposed of, oldest first. */
const open = new Set<AsyncDisposable>()

/** Something that is also disposed of when the bench is broken off; disposing twice does no harm. */
export function cleared(dispose: () => Promise<void>): AsyncDisposable {
  let disposing: Promise<void> | undefined
  const disposable = {
    [Symbol.asyncDispose]() {
      open.delete(disposable)
      disposing ??= dispose()
      return disposing
    },
  }
  open.add(disposable)
  return disposable
}

/** Disposes of all there is, latest first: for a bench that is broken off. */
export async function clearAll(): Promise<void> {
  for (const disposable of [...open].reverse()) await disposable[Symbol.asyncDispose]()
}

/** A folder for temporary files that goes with all that is in it. */
export async function temporaryFolder(name: string): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), `listd-bench-${name}-`))
  return { path, ...cleared(() => rm(path, { recursive: true, force: true, maxRetries: 20 })) }
}
