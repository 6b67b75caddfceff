import { randomFillSync } from 'node:crypto'

/**
 * Lower-case UUIDs of version 7, strictly increasing within this process, even within a millisecond and while the clock
 * is set back (contract 1.1). Time-ordered ids keep the indexes of the tables append-only.
 */
export const newId = (): string => nextId()

/** The same for a given time, such as a transaction's; in epoch milliseconds. */
export const newIdAt = (time: number): string => nextId(time)

/** After the millisecond an id has 42 bits that count up and 32 random ones. */
const lowerCounterSize = 2 ** 30
const counterSize = 2 ** 42
const randomBytesPerId = 12
const pool = Buffer.alloc(randomBytesPerId * 512)
const nextId = createIds(Date.now)

/** @param now epoch milliseconds */
export function createIds(now: () => number): (at?: number) => string {
  let millisecond = 0
  let counter = 0
  return (present = now()) => {
    const random = takeRandom()
    if (present > millisecond) {
      millisecond = present
      // Starts in the lower half, so that at least 2^41 more ids fit into the millisecond.
      counter = random.readUIntBE(0, 6) % (counterSize / 2)
    } else if (++counter >= counterSize) {
      millisecond++
      counter = 0
    }
    return format(millisecond, counter, random.readUInt32BE(8))
  }
}

const bytes = Buffer.alloc(16)

/** Formats via bytes: numbers beyond 2^30 would take four times as long to become text. */
function format(millisecond: number, counter: number, tail: number): string {
  bytes.writeUIntBE(millisecond, 0, 6)
  bytes.writeUInt16BE(0x7000 + Math.floor(counter / lowerCounterSize), 6)
  // The two highest bits of this field are the variant 10.
  bytes.writeUInt32BE(2 ** 31 + (counter % lowerCounterSize), 8)
  bytes.writeUInt32BE(tail, 12)
  const text = bytes.toString('hex')
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`
}

let poolOffset = pool.length

/** Random bytes are drawn in bulk: one system call serves 512 ids. */
function takeRandom(): Buffer {
  if (poolOffset === pool.length) {
    randomFillSync(pool)
    poolOffset = 0
  }
  poolOffset += randomBytesPerId
  return pool.subarray(poolOffset - randomBytesPerId, poolOffset)
}
