/** A filter, split into its leading `not:` prefixes and the rest (contract 1.4). */
export type Negation = { isNot: boolean; rest: string }

/** Removes every `not:` from the beginning of a filter. */
export function readNegation(source: string): Negation {
  let [at, isNot] = [0, false]
  for (; source.startsWith('not:', at); at += 'not:'.length) isNot = !isNot
  return { isNot, rest: source.slice(at) }
}

/** Whether a filter is empty, with or without `not:` in front; an empty parameter is ignored. */
export function isEmptyFilter(source: string): boolean {
  return readNegation(source).rest === ''
}
