import { AppError } from '#shared/errors.ts'

/** Counts what is being worked on and refuses the rest, so that memory and waiting times stay bounded under any limiter. */
export type ConcurrencyLimiter = {
  /** @throws SERVICE_UNAVAILABLE when as many requests as may be are under way */
  acquire(): void
  release(): void
  /** Takes room for bytes of a body. @throws SERVICE_UNAVAILABLE when there is none */
  reserveBytes(bytes: number): void
  releaseBytes(bytes: number): void
  inFlight(): number
}

export function createConcurrencyLimiter(limits: { inFlight: number; bodyBytes: number }): ConcurrencyLimiter {
  let requests = 0
  let held = 0
  return {
    acquire() {
      if (requests >= limits.inFlight) throw overloaded()
      requests++
    },
    release() {
      requests--
    },
    reserveBytes(bytes) {
      if (held + bytes > limits.bodyBytes) throw overloaded()
      held += bytes
    },
    releaseBytes(bytes) {
      held -= bytes
    },
    inFlight: () => requests,
  }
}

function overloaded(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
}
