import { ListdError, type ServiceErrorName } from '../error.ts'
import type { Answer, CallOptions, Send } from '../transport.ts'
import type { JsonObject } from '../types/resources.ts'
import type { MoveReport, SyncDocument, SyncExport, SyncReport } from '../types/sync-resources.ts'

export type SyncOptions = CallOptions & {
  /** Allows rebuilding indexes of lists with items. */
  allowRebuild?: boolean | undefined
  /** Deletes lists and indexes that the scope manages but the document does not declare. */
  prune?: boolean | undefined
  /** Allows deleting data and exposing guarded values. */
  allowDestructive?: boolean | undefined
}

export type ExportOptions = CallOptions & {
  scope?: string | undefined
  /** A comma means OR, an array means AND. */
  tagged?: string | readonly string[] | undefined
  lists?: string | readonly string[] | undefined
}

/** Syncs lists and indexes to the state that a document describes. A rejected sync throws an error with its report as `error.body`. */
export type Sync = {
  /** Returns the changes of `apply` without applying them. */
  plan(document: SyncDocument, options?: SyncOptions): Answer<SyncReport>
  apply(
    document: SyncDocument,
    options?: SyncOptions & {
      /** The hash of a plan: if the plan has changed since, nothing is applied. */
      planHash?: string | undefined
    },
  ): Answer<SyncReport>
  /** Exports existing lists as a document: all, or those of a scope, with tags, or with these names. */
  export(options?: ExportOptions): Answer<SyncExport>
  /** Moves lists, or all of a scope, to another scope or out of any scope. A rejected move throws an error with its report as `error.body`. */
  move(
    lists: ({ lists: string[] } | { fromScope: string }) & { scope: string | null },
    options?: CallOptions & { dryRun?: boolean | undefined },
  ): Answer<MoveReport>
  /** The format of documents, as a JSON Schema. */
  format(options?: CallOptions): Answer<JsonObject>
}

export function createSync(send: Send): Sync {
  return {
    plan: (body, options) => send('POST /sync-schema', { body, options: { ...options, dryRun: true } }),
    apply: (body, options) => send('POST /sync-schema', { body, options }),
    export: (options) => send('GET /sync-schema', { options }),
    move: (body, options) => send('POST /sync-schema/move', { body, options }),
    format: (options) => send('GET /schema/sync-v1.json', { options }),
  }
}

/** The report of a sync or move, also of a rejected one, with the reason in `blockedBy`. */
export type Planned<Report> = Omit<Report, 'blockedBy'> & { blockedBy: BlockedBy | null }

type BlockedBy = { name: ServiceErrorName; code: number; message: string }

/** The report, also of a rejected sync or move, for which the client throws. @throws errors without a report */
export async function reportOf<R>(answer: Promise<R>): Promise<Planned<R>> {
  try {
    return { ...(await answer), blockedBy: null }
  } catch (error) {
    const body = error instanceof ListdError && error.status === 422 ? error.body : null
    if (typeof body === 'object' && body !== null && 'changes' in body) return body as never
    throw error
  }
}
