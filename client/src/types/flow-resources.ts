import type { RawJson } from '../json.ts'
import type { JsonObject } from './resources.ts'

/** A flow. Fields that its document also contains are shown next to it. */
export type FlowDefinition = {
  id: string
  createdAt: string
  updatedAt: string
  name: string
  description: string
  entry: JsonObject
  public: boolean
  /** The path names of the lists that its nodes name. */
  lists: string[]
  document: JsonObject
  tests: JsonObject | null
  activated: boolean
  /** Which runs are recorded. */
  logged: 'all' | 'failures'
  version: number
  lastRunAt: string | null
}

/** A flow of a page; `document` and `tests` are there where the page was requested with `includeDocument: true`. */
export type FlowDefinitionRow = Omit<FlowDefinition, 'document' | 'tests'> &
  Partial<Pick<FlowDefinition, 'document' | 'tests'>>

export type FlowFields = {
  document?: JsonObject | RawJson
  tests?: JsonObject | RawJson | null
  activated?: boolean
  logged?: 'all' | 'failures'
}

export type FlowVersion = { version: number; createdAt: string; document: JsonObject; tests: JsonObject | null }
export type FlowVersions = { data: Pick<FlowVersion, 'version' | 'createdAt'>[] }

/** A finding in a document or its tests. `message` continues the sentence that `path` begins. */
export type FlowDiagnostic = {
  source: 'document' | 'tests'
  severity: 'error' | 'warning'
  code: string
  message: string
  node?: string
  path: string
  line: number
  column: number
}

/** `actual`, of a test that failed: what the run answered. Of the test in `stepsOf`: its steps, and the `node` at which its run failed. */
export type FlowTestResult = {
  name: string
  passed: boolean
  message?: string
  actual?: { status: number; body: unknown; error?: string }
  node?: string
  steps?: FlowStep[]
  /** Steps after them that are not reported. */
  omittedSteps?: number
}

/** A flow that was created or changed; `diagnostics`: the warnings about its texts. */
export type WrittenFlow = FlowDefinition & { diagnostics?: FlowDiagnostic[] }

export type FlowCheck = { diagnostics: FlowDiagnostic[]; tests: FlowTestResult[] }

/** One run of a flow, on record. */
export type FlowRun = {
  id: string
  flowId: string
  flowVersion: number
  /** A request to the endpoint of the flow, or a person. */
  trigger: { type: 'endpoint' | 'public' | 'hand'; requestId: string }
  /** Who started it; null: unknown. Absent: recorded by listd before 0.3. */
  actor?: FlowRunActor | null
  /** `refused`: the input did not match the schema of the entry. */
  status: 'succeeded' | 'failed' | 'refused'
  attempts: number
  startedAt: string
  durationMs: number
  fuel: number
  /** Absent: it failed. `cut`: the body is too long to keep. */
  answer?: { status: number; headers: Record<string, string>; body?: unknown; cut?: true }
  /** Absent: it did not fail. */
  error?: FlowRunError
  writes: { op: 'create' | 'update' | 'delete'; list: string; itemId: string; version: string | null; node: string }[]
  /** `skipped`: the webhook was gone or not active. */
  emits: { webhookId: string; eventId: string; node: string; skipped?: true }[]
}

/** `identityId`: for whom the token acted, or whom the user let the flow see as its caller. */
export type FlowRunActor =
  | { authMode: 'token'; tokenId: string; identityId: string | null }
  | { authMode: 'user'; tokenId: null; identityId: string | null; userId: string; userName: string | null }

export type FlowRunError = {
  code: string
  status: number
  node?: string
  message: string
  path?: string
  line?: number
  column?: number
  /** The element of `each`. */
  index?: number
}

/** The same with its steps, and everything needed to repeat it. */
export type FlowRunWithSteps = FlowRun & {
  steps: FlowStep[]
  /** Steps after them that are not kept. */
  omittedSteps: number
  seed: string
  /** Absent: it was too long to keep. */
  input?: unknown
}

export type FlowStep = {
  node: string
  type:
    | 'require'
    | 'condition'
    | 'switch'
    | 'compute'
    | 'get-item'
    | 'list-items'
    | 'create-item'
    | 'update-item'
    | 'delete-item'
    | 'emit'
    | 'respond'
  inputs: Record<string, unknown>
  result: unknown
  port: string | null
  fuel: number
  /** To the thousandth; absent in tests, and in runs of before. */
  durationMs?: number
  /** A value is too long to keep; null stands for it. */
  cut?: true
}
