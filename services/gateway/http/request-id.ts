/** Fits the outbox column and a log line, and cannot carry a header break, quotes or markup. */
export const requestIdPattern = /^[A-Za-z0-9._:-]{1,100}$/

/** A request's id: the one from its client or proxy, when that is valid, otherwise a new one. */
export function requestId(header: string | string[] | undefined, newId: () => string): string {
  return typeof header === 'string' && requestIdPattern.test(header) ? header : newId()
}
