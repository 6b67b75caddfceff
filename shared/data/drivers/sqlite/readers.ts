import type { AppError } from '#shared/errors.ts'
import type { Queries } from '../../database.ts'
import { unavailable } from '../storage.ts'

/** Whether a read may look at many rows, and so take long. */
type Kind = 'quick' | 'long'

type Waiting = { since: number; start(reader: Reads): void; refuse(error: AppError): void }

export type Reads = Pick<Queries, 'all' | 'get'>

const maxWaiting = 2_000

/**
 * Hands each read to a connection that has nothing to do: on one that is busy it would wait for what is under way there,
 * and hold a thread of the process meanwhile. Long reads leave one connection to the quick ones. What waits is served in
 * order, the two kinds by turns.
 * @param options.patienceMs how long a read may wait; whoever asked has gone by then
 */
export function createReaders(
  connections: readonly Reads[],
  { patienceMs }: { patienceMs: number },
): Readonly<Record<Kind, Reads>> {
  const mostLong = Math.max(1, connections.length - 1)
  const idle = [...connections]
  const waiting: Record<Kind, Waiting[]> = { quick: [], long: [] }
  let long = 0
  let last: Kind = 'quick'

  const mayStart = (kind: Kind) => kind === 'quick' || long < mostLong

  function read<T>(kind: Kind, work: (reader: Reads) => Promise<T>): Promise<T> {
    const reader = mayStart(kind) ? idle.pop() : undefined
    if (reader) return use(reader, kind, work)
    if (waiting[kind].length >= maxWaiting) return Promise.reject(unavailable())
    return new Promise((resolve, refuse) => {
      waiting[kind].push({ since: performance.now(), refuse, start: (free) => resolve(use(free, kind, work)) })
    })
  }

  function use<T>(reader: Reads, kind: Kind, work: (reader: Reads) => Promise<T>): Promise<T> {
    if (kind === 'long') long++
    const end = () => {
      if (kind === 'long') long--
      goOn(reader)
    }
    const result = work(reader)
    result.then(end, end)
    return result
  }

  function goOn(reader: Reads): void {
    let next = takeNext()
    for (; next && performance.now() - next.since > patienceMs; next = takeNext()) next.refuse(unavailable())
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
