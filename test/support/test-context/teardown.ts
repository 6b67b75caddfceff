/** A test's context, or its replacement if all tests of a file share something. */
export type Teardown = { teardown(run: () => unknown): void }

/** Collects functions to undo things: the last one runs first, and all run even if some fail. */
export function collectTeardowns(): Teardown & { run(): Promise<void> } {
  const undo = new AsyncDisposableStack()
  return {
    teardown: (run) => undo.defer(async () => void (await run())),
    run: () => undo.disposeAsync(),
  }
}
