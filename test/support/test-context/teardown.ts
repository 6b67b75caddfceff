/** A test's context, or what stands for it where all tests of a file share something. */
export type Teardown = { teardown(run: () => unknown): void }

/** Collects what is to be undone: the last thing first, and all of it even when some of it fails. */
export function collectTeardowns(): Teardown & { run(): Promise<void> } {
  const undo = new AsyncDisposableStack()
  return {
    teardown: (run) => undo.defer(async () => void (await run())),
    run: () => undo.disposeAsync(),
  }
}
