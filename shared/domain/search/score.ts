// BM25 (contract 2.1): how much a word of an item counts.

/** The BM25 parameters k1 (how fast repetitions of a word stop counting) and b (how much the length of a text counts). */
const [saturation, lengthPart] = [1.2, 0.75]

/** The bound on counting items, those of a list and those that have a word. */
export const maxCountedItems = 10_000

/** The weight of a word: the fewer items have it, the more it counts. */
export function wordWeight({ items, holding }: { items: number; holding: number }): number {
  const all = Math.max(Math.min(items, maxCountedItems), holding)
  return Math.log(1 + (all - holding + 0.5) / (holding + 0.5))
}

/**
 * The score of a word of weight 1. It grows with the frequency, and falls with the length.
 * @param meanLength the number of words of a text of usual length
 */
export function wordScore(frequency: number, length: number, meanLength: number): number {
  const norm = saturation * (1 - lengthPart + (lengthPart * length) / meanLength)
  return (frequency * (saturation + 1)) / (frequency + norm)
}

/**
 * The band of a frequency. The items with a word are stored by band, each in order of length, so the best of a band come first for any mean
 * length. Up to 8, each frequency is a separate band; beyond that, the score hardly grows.
 */
export function bandOf(frequency: number): number {
  return frequency <= lastSingle ? frequency : lastSingle + Math.ceil(Math.log2(frequency / lastSingle))
}

/** The greatest frequency of a band. */
export function mostOfBand(band: number): number {
  return band <= lastSingle ? band : lastSingle * 2 ** (band - lastSingle)
}

const lastSingle = 8
