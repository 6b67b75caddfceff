import type { ServerResponse } from 'node:http'
import type { AppError } from '#shared/errors.ts'
import { sendLast } from './responses/last-response.ts'

/** The requests without a response, which are cut off when the time to drain is over. */
export type OpenRequests<Request> = {
  add(request: Request): void
  /** @returns whether it may still be answered: false when it was cut off */
  remove(request: Request): boolean
  /** Answers all with this error, as the last of their connections. @returns them */
  cutOff(error: AppError): Request[]
}

export function createOpenRequests<R extends { context: { id: string; res: ServerResponse } }>(): OpenRequests<R> {
  const open = new Set<R>()
  return {
    add: (request) => void open.add(request),
    remove: (request) => open.delete(request),
    cutOff(error) {
      const cut = [...open]
      open.clear()
      // One that waits for the response before it on its connection goes with that connection.
      for (const { context } of cut) if (context.res.socket) sendLast(context.res.socket, error, context.id)
      return cut
    },
  }
}
