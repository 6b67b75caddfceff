/** How a run has ended. `refused`: its input was rejected, so it did not begin. */
export const flowRunStatuses = ['succeeded', 'failed', 'refused'] as const
export type FlowRunStatus = (typeof flowRunStatuses)[number]

/** What started a run: a request to its endpoint, one without a known caller, or a person. */
export const flowTriggers = ['endpoint', 'public', 'hand'] as const
export type FlowTrigger = (typeof flowTriggers)[number]

/**
 * Who started a run that is not a stranger: a token or a user of the account. `identityId`: for whom the token acted, or whom the user
 * let the flow see as its caller; null: no identity.
 */
export type RunActor =
  | { authMode: 'token'; tokenId: string; identityId: string | null }
  | { authMode: 'user'; tokenId: null; identityId: string | null; userId: string }

/** A run on record. */
export type FlowRunRecord = {
  id: string
  accountId: string
  flowId: string
  flowVersion: number
  status: FlowRunStatus
  trigger: FlowTrigger
  /** Who started it: JSON text of a `RunActor`, or of null. Null: the run is of a version that did not keep it. */
  actor: string | null
  requestId: string
  /** Epoch milliseconds: its start. */
  createdAt: number
  durationMs: number
  /** How often it was run until it committed or failed. */
  attempts: number
  /** The steps that its expressions took. */
  fuel: number
  seed: string
  /** JSON text; null: too long to keep. */
  input: string | null
  /** JSON text (`report.ts`), whose first line is what pages of runs show of it. */
  report: string
  /** The code of its error; null: it did not fail, or the run is of a version that kept it in the report alone. */
  errorCode: string | null
}

/** A run as pages have it. */
export type FlowRunSummary = Omit<FlowRunRecord, 'seed' | 'input' | 'report' | 'errorCode'> & {
  /** The first line of its report. */
  summary: string
}
