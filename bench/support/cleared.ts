import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Resources that would outlive this process, oldest first. */
const open = new Set<AsyncDisposable>()

/** A resource that is also disposed of when the bench is interrupted; disposing twice does no harm. */
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

/** Disposes of all resources, latest first. */
export async function clearAll(): Promise<void> {
  for (const disposable of [...open].reverse()) await disposable[Symbol.asyncDispose]()
}

/** A directory for temporary files, which is deleted with its contents. */
export async function temporaryFolder(name: string): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), `listd-bench-${name}-`))
  return { path, ...cleared(() => rm(path, { recursive: true, force: true, maxRetries: 20 })) }
}
