import { TextDigest } from '../text/digest.ts'

/** Numbers by chance, the same ones for the same seed: a run can be repeated. They are not secret. */
export type Random = {
  /** From 0 up to and without 1. */
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

/** The generator sfc32: 32 bits more, and the state after them. */
function nextOf(state: number[]): number {
  const [a = 0, b = 0, c = 0, counter = 0] = state
  const next = (a + b + counter) | 0
  state[0] = b ^ (b >>> 9)
  state[1] = (c + (c << 3)) | 0
  state[2] = (((c << 21) | (c >>> 11)) + next) | 0
  state[3] = (counter + 1) | 0
  return next >>> 0
}
