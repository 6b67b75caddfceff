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

function format(millisecond: number, counter: number, tail: number): string {
  const time = hex(millisecond, 12)
  const upper = hex(Math.floor(counter / lowerCounterSize), 3)
  // The two highest bits of this field are the variant 10.
  const lower = hex(2 ** 31 + (counter % lowerCounterSize), 8)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${upper}-${lower.slice(0, 4)}-${lower.slice(4)}${hex(tail, 8)}`
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
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
