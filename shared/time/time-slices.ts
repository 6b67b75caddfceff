import { setImmediate as nextTick } from 'node:timers/promises'

const sliceMs = 5
/** When the current slice ends. Work that begins within it, or soon after it, may run in the same iteration of the event loop. */
let sliceEnd = 0

/**
 * For long work of one request: a function to be called between its steps. Whenever the slice is used up, 5 ms for all such work
 * together, it lets the event loop serve other requests before the next step.
 */
export function createTimeSlices(): () => Promise<void> {
  beginSlice()
  return async () => {
    if (performance.now() >= sliceEnd) await nextSlice()
  }
}

/**
 * Runs long work to its end, and lets the event loop serve others between its steps.
 * @param steps yields where it may wait
 */
export async function inTimeSlices<T>(steps: Generator<unknown, T>): Promise<T> {
  beginSlice()
  for (;;) {
    while (performance.now() < sliceEnd) {
      const step = steps.next()
      if (step.done) return step.value
    }
    await nextSlice()
  }
}

/** Runs short work of the same kind to its end, without a pause. */
export function atOnce<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function beginSlice(): void {
  const now = performance.now()
  if (now >= sliceEnd + sliceMs) sliceEnd = now + sliceMs
}

async function nextSlice(): Promise<void> {
  await untilLoopIsFree()
  sliceEnd = performance.now() + sliceMs
}

/** Like `inTimeSlices`, for `map`. */
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
 * Call this before a long step or slice of a request. Resolves in an iteration of the event loop without another such step: when
 * many become ready at once, other requests are served between them.
 */
export function untilLoopIsFree(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) void takeSteps()
  })
}

/** When a step begins, the previous one has run up to its first wait. */
async function takeSteps(): Promise<void> {
  for (let next = waiting[0]; next; next = waiting[0]) {
    await nextTick()
    next()
    waiting.shift()
  }
}
