/** Thrown when validating a value takes more work than one validation may. */
export class StepBudgetExceeded extends Error {}

/**
 * What keeps a stranger's schema from holding the process: every step of it costs units, and a validation has so many. A
 * unit is at worst about 250 ns. Time itself would be no measure: the same value would pass on one day and fail on another.
 */
export type StepBudget = {
  /** Starts a new validation. */
  reset(): void
  /** @throws TooMuchWork */
  spend(units: number): void
  /** One schema calls another, for a unit: a bound on how deep that goes keeps the stack whole. @throws TooMuchWork */
  enter(): void
  leave(): void
  /** Errors that a called schema hands to its caller, who copies all it has each time. @throws TooMuchWork */
  addErrors(count: number): void
}

const maxDepth = 1_000

export function createStepBudget(budget: number): StepBudget {
  let left = budget
  let depth = 0
  let errors = 0
  function spend(units: number): void {
    left -= units
    if (left < 0) throw new StepBudgetExceeded()
  }
  return {
    spend,
    reset() {
      left = budget
      depth = 0
      errors = 0
    },
    enter() {
      spend(1)
      depth++
      if (depth > maxDepth) throw new StepBudgetExceeded()
    },
    leave() {
      depth--
    },
    addErrors(count) {
      errors += count
      if (count > 0) spend(errors / 64)
    },
  }
}
