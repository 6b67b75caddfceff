import { PathTooCostly } from './path-error.ts'

/** Maximum steps for one value: about one for each inner value that a path examines. A step takes at worst about 250 ns. */
const maxStepsOfOne = 100_000
/** The same for all values of one call. */
const maxStepsInAll = 1_000_000
/** Characters that one call finds in all: a path may find a value many times, and what is inside of it as well. */
const maxFound = 8 * 1024 * 1024

/** The cost of finding by paths in one call. It is not measured in time, because results would then depend on the load. */
export class PathSteps {
  #left = 0
  #leftInAll = maxStepsInAll
  #foundLeft = maxFound

  /** Starts the next value. */
  begin(): void {
    this.#left = Math.min(maxStepsOfOne, this.#leftInAll)
  }

  /** @throws PathTooCostly */
  spend(steps: number): void {
    this.#left -= steps
    this.#leftInAll -= steps
    if (this.#left < 0) throw new PathTooCostly(tooManySteps)
  }

  /** @throws PathTooCostly */
  find(characters: number): void {
    this.#foundLeft -= characters
    if (this.#foundLeft < 0) throw new PathTooCostly(`finds more than ${maxFound} characters`)
  }
}

const tooManySteps =
  `takes more than ${maxStepsOfOne} steps for an item, or ${maxStepsInAll} for all of a page: ` +
  'begin with names, use .. less, or request fewer items'
