import { setImmediate as nextTick } from 'node:timers/promises'

const sliceMs = 10

/**
 * For long work of one request: a function to be called between its steps. Whenever 10 ms have passed, it lets the event loop
 * serve other requests before the next step.
 */
export function createTimeSlices(): () => Promise<void> {
  let until = performance.now() + sliceMs
  return async () => {
    if (performance.now() < until) return
    await nextTick()
    until = performance.now() + sliceMs
  }
}
