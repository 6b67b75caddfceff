import { entries } from '../entries.ts'
import type { SourceSettings } from './source-settings.ts'

/** A setting that an option of a command gives: `--port` gives `gateway.port`. */
export type GivenSetting = { key: string; option: string; text: string }

/** Reads settings from options of the command line, whose texts are written as in environment variables. */
export function readGiven(given: readonly GivenSetting[]): SourceSettings {
  const values = given.flatMap(({ key, option, text }) =>
    entries
      .filter((entry) => entry.key === key)
      .map(({ setting }) => ({ key, value: setting.rule.fromText(text) ?? text, source: option })),
  )
  return { values, errors: [] }
}
