/** A filter as it was written, apart from every `not:` before it (contract 1.4). */
export type Negation = { isNot: boolean; rest: string }

/** Removes every `not:` from the beginning of a filter. */
export function readNegation(source: string): Negation {
  let [at, isNot] = [0, false]
  for (; source.startsWith('not:', at); at += 'not:'.length) isNot = !isNot
  return { isNot, rest: source.slice(at) }
}

/** Whether a filter says nothing, with or without `not:` before it: a parameter of this value is left out. */
export function isEmptyFilter(source: string): boolean {
  return readNegation(source).rest === ''
}
