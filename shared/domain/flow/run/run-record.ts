/** The status of a run. `refused`: its input was rejected, so it did not start. */
export const flowRunStatuses = ['succeeded', 'failed', 'refused'] as const
export type FlowRunStatus = (typeof flowRunStatuses)[number]

/** What started a run: a request to its endpoint, a request without a known caller, or a user by hand. */
export const flowTriggers = ['endpoint', 'public', 'hand'] as const
export type FlowTrigger = (typeof flowTriggers)[number]

/**
 * The known caller that started a run: a token or a user of the account. `identityId`: the identity that the token acted for, or that the
 * user chose as caller; null: none.
 */
export type RunActor =
  | { authMode: 'token'; tokenId: string; identityId: string | null }
  | { authMode: 'user'; tokenId: null; identityId: string | null; userId: string }

/** A recorded run. */
export type FlowRunRecord = {
  id: string
  accountId: string
  flowId: string
  flowVersion: number
  status: FlowRunStatus
  trigger: FlowTrigger
  /** Who started it: JSON text of a `RunActor`, or of null. Null: recorded by a version that did not store it. */
  actor: string | null
  requestId: string
  /** Epoch milliseconds: its start. */
  createdAt: number
  durationMs: number
  /** The number of attempts until it committed or failed. */
  attempts: number
  /** The number of steps that its expressions took. */
  fuel: number
  seed: string
  /** JSON text; null: too long to keep. */
  input: string | null
  /** JSON text (`report.ts`). Pages of runs show its first line. */
  report: string
  /** The code of its error; null: it did not fail, or was recorded by a version that stored the code only in the report. */
  errorCode: string | null
}

/** A run as pages show it. */
export type FlowRunSummary = Omit<FlowRunRecord, 'seed' | 'input' | 'report' | 'errorCode'> & {
  /** The first line of its report. */
  summary: string
}
