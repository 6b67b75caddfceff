import PQueue from 'p-queue'

/**
 * How many transactions race at a time: enough to conflict in two processes, and fewer than the connections of a process. On a slow
 * machine one that waits for a connection after many others would be rejected.
 */
const atOnce = 8

/** Does the same work many times, several at a time, numbered from 0. @returns the results in the order of the numbers */
export function race<T>(times: number, work: (n: number) => Promise<T>): Promise<T[]> {
  return new PQueue({ concurrency: atOnce }).addAll(Array.from({ length: times }, (_, n) => () => work(n)))
}
