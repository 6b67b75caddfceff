import { unavailable } from '#shared/errors.ts'

/** Counts requests in flight and rejects more, so that memory and waiting times stay bounded under any load. */
export type ConcurrencyLimiter = {
  /** @throws SERVICE_UNAVAILABLE when too many requests are in flight */
  acquire(): void
  release(): void
  /** Reserves memory for bytes of a body. @throws SERVICE_UNAVAILABLE when there is none left */
  reserveBytes(bytes: number): void
  releaseBytes(bytes: number): void
  inFlight(): number
}

export function createConcurrencyLimiter(limits: { inFlight: number; bodyBytes: number }): ConcurrencyLimiter {
  let requests = 0
  let held = 0
  return {
    acquire() {
      if (requests >= limits.inFlight) throw unavailable('too many requests in flight')
      requests++
    },
    release() {
      requests--
    },
    reserveBytes(bytes) {
      if (held + bytes > limits.bodyBytes) throw unavailable('too many bytes of request bodies')
      held += bytes
    },
    releaseBytes(bytes) {
      held -= bytes
    },
    inFlight: () => requests,
  }
}
