/**
 * Where in the literal of a JSON string the character stands that is at `at` in what it says; of another value 0.
 * @param literal with its quotes
 */
export function offsetInLiteral(literal: string, at: number): number {
  if (!literal.startsWith('"')) return 0
  let offset = 1
  for (let n = 0; n < at && offset < literal.length - 1; n++)
    offset += literal[offset] !== '\\' ? 1 : literal[offset + 1] === 'u' ? 6 : 2
  return offset
}
