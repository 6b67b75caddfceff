import type { SettingError } from '../config-error.ts'

/** The value of a key in one source, not yet checked against the key's rule. */
export type SettingValue = { key: string; value: unknown; source: string }

/** The contents of one source of settings. */
export type SourceSettings = { values: SettingValue[]; errors: SettingError[] }
