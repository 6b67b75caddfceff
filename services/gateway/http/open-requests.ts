import type { ServerResponse } from 'node:http'
import type { AppError } from '#shared/errors.ts'
import { sendLast } from './responses/last-response.ts'

/** The requests without a response, which are aborted when the drain time is over. */
export type OpenRequests<Request> = {
  add(request: Request): void
  /** @returns whether it may still be answered: false when it was aborted */
  remove(request: Request): boolean
  /** Answers all with this error, as the last response of their connections. @returns the requests */
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
      // A request that waits for the previous response on its connection ends with that connection.
      for (const { context } of cut) if (context.res.socket) sendLast(context.res.socket, error, context.id)
      return cut
    },
  }
}
