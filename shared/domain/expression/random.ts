/** Numbers by chance, the same ones for the same seed: a run can be repeated. They are no secret. */
export type Random = {
  /** From 0 up to and without 1. */
  next(): number
}

/** @param seed any text */
export function randomFrom(seed: string): Random {
  const state = [0, 1, 2, 3].map((n) => hashOf(`${n}${seed}`))
  const random = { next: () => nextOf(state) / 2 ** 32 }
  // The first numbers of seeds that are much alike are alike, too.
  for (let n = 0; n < 12; n++) random.next()
  return random
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** The generator sfc32: 32 bits more, and the state behind them. */
function nextOf(state: number[]): number {
  const [a = 0, b = 0, c = 0, counter = 0] = state
  const next = (a + b + counter) | 0
  state[0] = b ^ (b >>> 9)
  state[1] = (c + (c << 3)) | 0
  state[2] = (((c << 21) | (c >>> 11)) + next) | 0
  state[3] = (counter + 1) | 0
  return next >>> 0
}
