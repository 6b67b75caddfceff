import PQueue from 'p-queue'

/**
 * How many transactions race at a time: enough to be in each other's way in two processes, and fewer than a process has
 * connections. On a slow machine one that had to wait for a connection behind many others would be rejected.
 */
const atOnce = 8

/** Does the same work many times, several at a time, numbered from 0. @returns the results in the order of the numbers */
export function race<T>(times: number, work: (n: number) => Promise<T>): Promise<T[]> {
  return new PQueue({ concurrency: atOnce }).addAll(Array.from({ length: times }, (_, n) => () => work(n)))
}
