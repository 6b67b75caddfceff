import { setTimeout as delay } from 'node:timers/promises'
import { backOffMs } from '#shared/time/back-off.ts'

const backOff = { firstMs: 50, longestMs: 2_000, randomPart: 0.5 }

/** Milliseconds to wait after this many failures in a row, between two attempts to use NATS. */
export function retryMs(failures: number): number {
  return backOffMs(backOff, failures)
}

/** Waits, and returns early when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {})
}
