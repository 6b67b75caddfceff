import type { AppError } from '#shared/errors.ts'
import { unavailable } from '#shared/errors.ts'
import type { Queries } from '../../database.ts'

/** A long read may scan many rows. */
type Kind = 'quick' | 'long'

type Waiting = { since: number; start(reader: Reads): void; reject(error: AppError): void }

export type Reads = Pick<Queries, 'all' | 'get'>

const maxWaiting = 2_000

/**
 * Runs each read on an idle connection: on a busy one it would wait for the statement in progress and block a thread of the
 * process meanwhile. Long reads leave one connection to the quick ones. Waiting reads are served in order, the two kinds
 * alternating.
 * @param options.maxWaitMs how long a read may wait; by then the client has given up
 */
export function createReaders(
  connections: readonly Reads[],
  { maxWaitMs }: { maxWaitMs: number },
): Readonly<Record<Kind, Reads>> {
  const maxLong = Math.max(1, connections.length - 1)
  const idle = [...connections]
  const waiting: Record<Kind, Waiting[]> = { quick: [], long: [] }
  let long = 0
  let last: Kind = 'quick'

  const mayStart = (kind: Kind) => kind === 'quick' || long < maxLong

  function read<T>(kind: Kind, work: (reader: Reads) => Promise<T>): Promise<T> {
    const reader = mayStart(kind) ? idle.pop() : undefined
    if (reader) return use(reader, kind, work)
    if (waiting[kind].length >= maxWaiting) return Promise.reject(unavailable('too many reads are waiting'))
    return new Promise((resolve, reject) => {
      waiting[kind].push({ since: performance.now(), reject, start: (free) => resolve(use(free, kind, work)) })
    })
  }

  function use<T>(reader: Reads, kind: Kind, work: (reader: Reads) => Promise<T>): Promise<T> {
    if (kind === 'long') long++
    const end = () => {
      if (kind === 'long') long--
      useForNext(reader)
    }
    const result = work(reader)
    result.then(end, end)
    return result
  }

  function useForNext(reader: Reads): void {
    let next = takeNext()
    for (; next && performance.now() - next.since > maxWaitMs; next = takeNext())
      next.reject(unavailable('a read waited too long for a connection'))
    if (next) next.start(reader)
    else idle.push(reader)
  }

  function takeNext(): Waiting | undefined {
    const order: Kind[] = last === 'quick' ? ['long', 'quick'] : ['quick', 'long']
    const kind = order.find((kind) => waiting[kind].length > 0 && mayStart(kind))
    if (kind) last = kind
    return kind && waiting[kind].shift()
  }

  const reads = (kind: Kind): Reads => ({
    all: (query, bindings) => read(kind, (reader) => reader.all(query, bindings)),
    get: (query, bindings) => read(kind, (reader) => reader.get(query, bindings)),
  })
  return { quick: reads('quick'), long: reads('long') }
}
