import { type LinearRegExp, linearRegExp } from '#shared/json-schema/patterns/linear-regexp.ts'
import { PatternError } from '#shared/json-schema/patterns/pattern-error.ts'
import { PathTooCostly } from './path-error.ts'

/** Characters of a pattern, which may come from the data. */
export const maxPatternLength = 1_024
const memoryBytes = 64 * 1024

/**
 * Compiles the pattern of `match` (the whole text) or `search` (a part of it): an I-Regexp (RFC 9485), on an engine that takes
 * time linear in the text. `^` and `$` are anchors, as in every common engine.
 * @returns null for what is not an I-Regexp: RFC 9535 lets it match nothing
 * @throws PathTooCostly for one that is too big
 */
export function compileIRegexp(pattern: string, name: 'match' | 'search'): LinearRegExp | null {
  if (pattern.length > maxPatternLength)
    throw new PathTooCostly(`has a pattern of more than ${maxPatternLength} characters`)
  const source = toEcmaScript(pattern)
  if (source === null) return null
  try {
    return linearRegExp(name === 'match' ? `^(?:${source})$` : source, memoryBytes)
  } catch (error) {
    if (error instanceof PatternError && isPattern(source))
      throw new PathTooCostly(`has a pattern that ${error.message.split(';', 1)[0]}`)
    if (error instanceof PatternError) return null
    throw error
  }
}

/** The same pattern for an engine of ECMA-262, whose dot matches less; null: it is not an I-Regexp. */
function toEcmaScript(pattern: string): string | null {
  let source = ''
  let depth = 0
  let mayRepeat = false
  for (let at = 0; at < pattern.length; ) {
    token.lastIndex = at
    const found = token.exec(pattern)
    if (!found) return null
    const [text, quantifier] = found
    if (quantifier !== undefined && !mayRepeat) return null
    if (text === '(') depth++
    if (text === ')' && --depth < 0) return null
    mayRepeat = quantifier === undefined && text !== '(' && text !== '|'
    source += text === '.' ? '[^\\n\\r]' : text
    at += text.length
  }
  return depth === 0 ? source : null
}

const escapes =
  '\\\\(?:[(-+\\-.?[-^nrt{-}]|[pP]\\{(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|Z[lps]?|S[ckmo]?|C[cfno]?)\\})'
const classChar = '[^\\-[\\]\\\\\\ud800-\\udfff]'
/** A quantifier (the first group), a class, an escape, or any other character. */
const token = new RegExp(
  `([*+?]|\\{[0-9]+(?:,[0-9]*)?\\})` +
    `|\\[\\^?(?:-|${classChar}|${escapes})(?:${classChar}|${escapes}|-(?!\\]))*-?\\]` +
    `|${escapes}|[^*+?{}[\\]\\\\\\ud800-\\udfff]`,
  'uy',
)

/** Only checks the syntax; JavaScript's engine never runs a pattern. */
function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}
