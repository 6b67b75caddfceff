/** How a run has ended. `refused`: it was not let begin. */
export const flowRunStatuses = ['succeeded', 'failed', 'refused'] as const
export type FlowRunStatus = (typeof flowRunStatuses)[number]

/** What started a run: a request to its endpoint, one by nobody who is known, or a person. */
export const flowTriggers = ['endpoint', 'public', 'hand'] as const
export type FlowTrigger = (typeof flowTriggers)[number]

/** A run on record. */
export type FlowRunRecord = {
  id: string
  accountId: string
  flowId: string
  flowVersion: number
  status: FlowRunStatus
  trigger: FlowTrigger
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
}

/** A run as pages have it. */
export type FlowRunSummary = Omit<FlowRunRecord, 'seed' | 'input' | 'report'> & {
  /** The first line of its report. */
  summary: string
}
