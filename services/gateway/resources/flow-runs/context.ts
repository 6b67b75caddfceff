import type { Database } from '#shared/data/database.ts'

/** What the handlers of runs on record depend on. */
export type FlowRunDeps = { db: Database }
