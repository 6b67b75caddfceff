/** Fits the outbox column and a log line, and cannot carry a header break, quotes or markup. */
const requestIdPattern = /^[A-Za-z0-9._:-]{1,100}$/

/** The id a request goes by: the one its client or proxy gave it, when that is sane, else a new one. */
export function requestId(given: string | string[] | undefined, newId: () => string): string {
  return typeof given === 'string' && requestIdPattern.test(given) ? given : newId()
}
