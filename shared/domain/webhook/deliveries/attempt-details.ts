/** How long an attempt spent in each phase, in whole milliseconds. Null: it did not reach the phase, or reused a connection. */
export type Phases = {
  dnsMs: number | null
  connectMs: number | null
  /** Null also for plain http. */
  tlsMs: number | null
  /** From when the request was written until the head of the response, or the end of the attempt. */
  waitMs: number | null
}

/** The recorded details of an attempt that failed or was slow, or of a ping. */
export type AttemptDetails = {
  phases: Phases
  /** Of the response; null: there was none. */
  headers: Record<string, string> | null
}

/** An attempt that takes longer keeps its details. */
export const detailedAfterMs = 1_000

/** When a connection reached each stage, in monotonic milliseconds; null: not yet. */
export type ConnectMarks = {
  startedAt: number
  resolvedAt: number | null
  connectedAt: number | null
  /** Null for plain http. */
  securedAt: number | null
  isPlain: boolean
}

/**
 * @param attempt.connecting the connection that was opened for this attempt; null: it was already open
 * @param attempt.sentAt when the request was written, `headAt` when the head of the response arrived; null: it did not
 */
export function phasesOf(attempt: {
  connecting: ConnectMarks | null
  sentAt: number | null
  headAt: number | null
  endedAt: number
}): Phases {
  const { connecting, sentAt, headAt, endedAt } = attempt
  const span = (from: number | null, to: number | null) => (from === null ? null : Math.round((to ?? endedAt) - from))
  return {
    dnsMs: span(connecting?.startedAt ?? null, connecting?.resolvedAt ?? null),
    connectMs: span(connecting?.resolvedAt ?? null, connecting?.connectedAt ?? null),
    tlsMs: connecting?.isPlain ? null : span(connecting?.connectedAt ?? null, connecting?.securedAt ?? null),
    waitMs: span(sentAt, headAt),
  }
}

/** The recorded headers of a response: those that identify the server, and redirect and retry headers. */
export const keptHeaderNames = ['content-type', 'location', 'retry-after', 'server', 'date'] as const

/** Bytes of all kept values together. */
const maxHeaderBytes = 1_024

/** @param headers by names in lower case; a repeated one has several values */
export function keptHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  let left = maxHeaderBytes
  const kept = keptHeaderNames.flatMap((name): [string, string][] => {
    const value = headers[name]
    if (value === undefined || left <= 0) return []
    // Headers are read as Latin-1, whose characters have two bytes at most in UTF-8.
    const text = [value]
      .flat()
      .join(', ')
      .slice(0, Math.floor(left / 2))
    left -= 2 * text.length
    return [[name, text]]
  })
  return Object.fromEntries(kept)
}
