import type { ExecutionContext } from 'ava'

/** Asserts the upper bound of a number; a failure shows both. */
export function atMost(t: ExecutionContext, value: number, bound: number, what: string): void {
  t.true(value <= bound, `${what}: ${value}, and at most ${bound} may be`)
}

/** Asserts the lower bound of a number; a failure shows both. */
export function atLeast(t: ExecutionContext, value: number, bound: number, what: string): void {
  t.true(value >= bound, `${what}: ${value}, and at least ${bound} must be`)
}
