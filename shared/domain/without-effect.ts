/**
 * Fields and properties that are stored and returned, but have no effect yet. A change that implements one removes it here; descriptions
 * and warnings of plans follow, and tests require updates of docs/api.md and the client's types.
 */
export const withoutEffect = {
  list: ['generative', 'generativePrompt'],
  index: [],
  plan: ['generativeAPI'],
} as const

/** The sentence of descriptions about a property or a field without effect. */
export const noEffectYet = 'It has no effect yet.'

/** A warning for each of these fields that a change turns on. @param set what the change sets */
export function effectWarnings(names: readonly string[], set: Readonly<Record<string, unknown>>): string[] {
  return names.filter((name) => set[name]).map((name) => `${name} has no effect yet.`)
}
