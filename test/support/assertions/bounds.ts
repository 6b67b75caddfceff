import type { ExecutionContext } from 'ava'

/** Holds a number against its upper bound; a failure tells both. */
export function atMost(t: ExecutionContext, value: number, bound: number, what: string): void {
  t.true(value <= bound, `${what}: ${value}, and at most ${bound} may be`)
}

/** Holds a number against its lower bound; a failure tells both. */
export function atLeast(t: ExecutionContext, value: number, bound: number, what: string): void {
  t.true(value >= bound, `${what}: ${value}, and at least ${bound} must be`)
}
