import type { ConfigFault } from './config-error.ts'

/** A value somebody gave for a key, not yet held against the key's rule. */
export type Given = { key: string; value: unknown; source: string }

/** What one source of settings has to say. */
export type Findings = { given: Given[]; faults: ConfigFault[] }
