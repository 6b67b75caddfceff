import { randomInt } from 'node:crypto'
import { seeded } from './random-json.ts'

/**
 * `make soak` repeats at length what `make test` runs only once. A test file that imports this one is part of both.
 * @returns the number of rounds of a scenario, or its size
 */
export function rounds({ once, soak }: { once: number; soak: number }): number {
  return process.env.TEST_SOAK === '1' ? soak : once
}

const seed = Number(process.env.TEST_SEED ?? randomInt(2 ** 31))

/** The title of a test that uses `seededRandom`: a report of its failure includes the seed that repeats it. */
export function withSeed(title: string): string {
  return `${title} (TEST_SEED=${seed})`
}

/** Numbers from 0 to below 1, from the beginning of the sequence. */
export function seededRandom(): () => number {
  return seeded(seed)
}

/** The same elements in another order. */
export function shuffled<T>(random: () => number, things: readonly T[]): T[] {
  return things
    .map((thing) => ({ thing, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ thing }) => thing)
}
