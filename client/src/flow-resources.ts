import type { RawJson } from './json.ts'
import type { JsonObject } from './resources.ts'

/** A flow; what its document says too is shown beside it. */
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
  /** Which runs are kept on record. */
  logged: 'all' | 'failures'
  version: number
  lastRunAt: string | null
}

export type FlowFields = {
  document?: JsonObject | RawJson
  tests?: JsonObject | RawJson | null
  activated?: boolean
  logged?: 'all' | 'failures'
}

export type FlowVersion = { version: number; createdAt: string; document: JsonObject; tests: JsonObject | null }
export type FlowVersions = { data: Pick<FlowVersion, 'version' | 'createdAt'>[] }

/** A finding in a document or its tests. `message` goes on from `path`. */
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

/** `actual`, of a test that failed: what the run answered. */
export type FlowTestResult = {
  name: string
  passed: boolean
  message?: string
  actual?: { status: number; body: unknown; error?: string }
}

export type FlowCheck = { diagnostics: FlowDiagnostic[]; tests: FlowTestResult[] }
