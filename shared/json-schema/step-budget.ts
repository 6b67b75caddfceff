/** Thrown when a validation takes more work than it may. */
export class StepBudgetExceeded extends Error {}

/**
 * Prevents a client's schema from blocking the process: every step costs units, and a validation has a fixed number of them. A unit is at
 * worst about 250 ns. It is not measured in time, because results would then depend on the load.
 */
export type StepBudget = {
  /** Starts a new validation. */
  reset(): void
  /** @throws StepBudgetExceeded */
  spend(units: number): void
  /** One schema calls another, for one unit; the depth is bounded to protect the stack. @throws StepBudgetExceeded */
  enter(): void
  leave(): void
  /** Errors that a called schema returns; its caller copies all it has each time. @throws StepBudgetExceeded */
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
