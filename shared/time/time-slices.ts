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
    await untilLoopIsFree()
    until = performance.now() + sliceMs
  }
}

/**
 * Runs long work to its end, and lets the event loop serve others between its steps.
 * @param steps yields where it may wait
 */
export async function inTimeSlices<T>(steps: Generator<unknown, T>): Promise<T> {
  for (;;) {
    const until = performance.now() + sliceMs
    do {
      const step = steps.next()
      if (step.done) return step.value
    } while (performance.now() < until)
    await untilLoopIsFree()
  }
}

/** The same for `map`. */
export function mapInTimeSlices<S, T>(sources: readonly S[], map: (source: S) => T): Promise<T[]> {
  return inTimeSlices(mapping(sources, map))
}

function* mapping<S, T>(sources: readonly S[], map: (source: S) => T): Generator<undefined, T[]> {
  const mapped: T[] = []
  for (const source of sources) {
    mapped.push(map(source))
    yield
  }
  return mapped
}

const waiting: (() => void)[] = []

/**
 * Before a step or a slice of a request that takes some time: resolves in an iteration of the event loop that has no other such
 * step, so that of many which become ready at once each lets others be served.
 */
export function untilLoopIsFree(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) void takeSteps()
  })
}

/** What a step does until it waits for something has been done when the next one begins. */
async function takeSteps(): Promise<void> {
  for (let next = waiting[0]; next; next = waiting[0]) {
    await nextTick()
    next()
    waiting.shift()
  }
}
