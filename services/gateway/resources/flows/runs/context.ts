import type { CallDeps } from '../calls/context.ts'

/** What the handlers of runs on record depend on. */
export type FlowRunDeps = CallDeps
