import { ListdError, type ServiceErrorName } from '../error.ts'
import type { Answer, CallOptions, Send } from '../transport.ts'
import type { JsonObject } from '../types/resources.ts'
import type { MoveReport, SyncDocument, SyncExport, SyncReport } from '../types/sync-resources.ts'

export type SyncOptions = CallOptions & {
  /** Lets indexes of lists with items be built again. */
  allowRebuild?: boolean | undefined
  /** Deletes what the scope manages and the document does not name. */
  prune?: boolean | undefined
  /** Lets data be deleted, and guarded values be shown. */
  allowDestructive?: boolean | undefined
}

export type ExportOptions = CallOptions & {
  scope?: string | undefined
  /** A comma is OR, an array is AND. */
  tagged?: string | readonly string[] | undefined
  lists?: string | readonly string[] | undefined
}

/** Brings lists and indexes into the state that a document describes. A rejected sync throws its report as `error.body`. */
export type Sync = {
  /** What `apply` would do; changes nothing. */
  plan(document: SyncDocument, options?: SyncOptions): Answer<SyncReport>
  apply(
    document: SyncDocument,
    options?: SyncOptions & {
      /** Of a plan: if it would be another one now, nothing is changed. */
      planHash?: string | undefined
    },
  ): Answer<SyncReport>
  /** The document of the lists that there are: all of them, or those of a scope, with tags, or with these names. */
  export(options?: ExportOptions): Answer<SyncExport>
  /** Brings lists, or all of a scope, into another scope, or out of any. A rejected move throws its report as `error.body`. */
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

/** The report of a sync or move, also of one that is rejected: `blockedBy` says why. */
export type Planned<Report> = Omit<Report, 'blockedBy'> & { blockedBy: BlockedBy | null }

type BlockedBy = { name: ServiceErrorName; code: number; message: string }

/** A report, also that of a sync or move that is rejected, which the client throws. @throws what has none */
export async function reportOf<R>(answer: Promise<R>): Promise<Planned<R>> {
  try {
    return { ...(await answer), blockedBy: null }
  } catch (error) {
    const body = error instanceof ListdError && error.status === 422 ? error.body : null
    if (typeof body === 'object' && body !== null && 'changes' in body) return body as never
    throw error
  }
}
