import { endSignals } from '#shared/lifecycle/signals.ts'

/** Runs work until it is interrupted, as with ctrl-c; a second signal ends the process at once. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const ending = new AbortController()
  const end = () => ending.abort()
  for (const signal of endSignals) process.once(signal, end)
  try {
    await work(ending.signal)
  } catch (error) {
    if (!ending.signal.aborted) throw error
  } finally {
    for (const signal of endSignals) process.off(signal, end)
  }
}
