import { TextDigest } from '../text/digest.ts'

/** A pseudorandom generator: the same seed gives the same numbers, so a run can be repeated. Not for secrets. */
export type Random = {
  /** From 0 to below 1. */
  next(): number
}

/** @param seed any text */
export function randomFrom(seed: string): Random {
  const state =
    new TextDigest()
      .add(seed)
      .value.match(/.{8}/g)
      ?.map((word) => Number.parseInt(word, 16)) ?? []
  return { next: () => nextOf(state) / 2 ** 32 }
}

/** The generator sfc32: returns the next 32 bits and updates the state. */
function nextOf(state: number[]): number {
  const [a = 0, b = 0, c = 0, counter = 0] = state
  const next = (a + b + counter) | 0
  state[0] = b ^ (b >>> 9)
  state[1] = (c + (c << 3)) | 0
  state[2] = (((c << 21) | (c >>> 11)) + next) | 0
  state[3] = (counter + 1) | 0
  return next >>> 0
}
