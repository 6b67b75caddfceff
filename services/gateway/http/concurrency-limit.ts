import { AppError } from '#shared/errors.ts'

/** Counts what is being worked on and refuses the rest, so that memory and waiting times stay bounded under any load. */
export type Load = {
  /** @throws SERVICE_UNAVAILABLE when as many requests as may be are under way */
  enter(): void
  leave(): void
  /** Takes room for bytes of a body. @throws SERVICE_UNAVAILABLE when there is none */
  hold(bytes: number): void
  release(bytes: number): void
  inFlight(): number
}

export function createLoad(limits: { inFlight: number; bodyBytes: number }): Load {
  let requests = 0
  let held = 0
  return {
    enter() {
      if (requests >= limits.inFlight) throw overloaded()
      requests++
    },
    leave() {
      requests--
    },
    hold(bytes) {
      if (held + bytes > limits.bodyBytes) throw overloaded()
      held += bytes
    },
    release(bytes) {
      held -= bytes
    },
    inFlight: () => requests,
  }
}

function overloaded(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
}
