import { RE2Set } from 're2js'
import { PatternError } from './pattern-error.ts'
import { translatePattern } from './pattern-translation.ts'

/** A pattern of ECMA-262 that runs in time linear in the text, whatever the pattern and the text are. */
export type LinearRegExp = {
  test(text: string): boolean
  /** About how many instructions it has; a text of n characters costs n × size steps at worst, and seldom more than n. */
  size: number
}

/** Instructions of one pattern. */
const maxSize = 5_000

/**
 * Compiles a pattern.
 * @param memoryBytes memory its automaton may keep between texts; with less it runs slower, still in linear time
 * @throws PatternError when it is not a regular expression, needs more than a linear-time engine has, or is too big
 */
export function linearRegExp(pattern: string, memoryBytes: number): LinearRegExp {
  const { source, size } = translatePattern(pattern)
  if (size > maxSize) throw new PatternError('repeats too much')
  // A set of one: unlike the engine's plain interface it lets us bound the memory, and it is faster for short texts.
  const set = new RE2Set(RE2Set.UNANCHORED, 0, memoryBytes)
  try {
    set.add(source)
    set.compile()
  } catch {
    throw new PatternError('cannot be compiled by the linear-time engine')
  }
  return { size, test: (text) => set.match(text).length > 0 }
}
