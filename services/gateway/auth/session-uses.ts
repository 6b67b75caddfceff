import type { Database } from '#shared/data/database.ts'
import { noteSessionUses } from '#shared/data/identities/identity-sessions.ts'

/** Writes down, some together, when sessions were last used: other gateways end by that those that are idle. */
export type SessionUses = {
  note(sessionId: string, at: number): void
  /** Writes what is not written yet. */
  close(): Promise<void>
}

const gatherMs = 250

/** @param options.onError told of uses that could not be written; the next use of each is noted again */
export function createSessionUses(options: { db: Database; onError(error: unknown): void }): SessionUses {
  const { db, onError } = options
  let uses = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (uses.size === 0) return
    const noted = [...uses].map(([sessionId, at]) => ({ sessionId, at }))
    uses = new Map()
    await noteSessionUses(db, noted).catch(onError)
  }

  return {
    note(sessionId, at) {
      uses.set(sessionId, at)
      timer ??= setTimeout(write, gatherMs).unref()
    },
    close: write,
  }
}
