/** Milliseconds, to the microsecond, of the system's monotonic clock, which all processes of a Linux machine share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Polls a condition every few milliseconds until it holds. @throws Error that names what did not happen */
export async function until(
  holds: () => boolean | Promise<boolean>,
  { what, withinMs = 30_000, everyMs = 20 }: { what: string; withinMs?: number; everyMs?: number },
): Promise<void> {
  const giveUpAt = monotonicMs() + withinMs
  while (!(await holds())) {
    if (monotonicMs() > giveUpAt) throw new Error(`waited ${withinMs} ms without success for ${what}`)
    await sleep(everyMs)
  }
}
