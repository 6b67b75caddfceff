import type { Token } from './tokens.ts'

/**
 * Whether a function of an element begins at a token: `x =>`, or `(…) =>` without nested parentheses. Looks no further than the closing
 * parenthesis, because calls may have many arguments.
 */
export function beginsLambda(tokens: readonly Token[], position: number): boolean {
  if (tokens[position]?.kind === 'name') return isSign(tokens[position + 1], '=>')
  if (!isSign(tokens[position], '(')) return false
  let close = position + 1
  while (standsBetween(tokens[close])) close++
  return isSign(tokens[close], ')') && isSign(tokens[close + 1], '=>')
}

function standsBetween(token: Token | undefined): boolean {
  if (token?.kind === 'sign') return token.text === ','
  return token !== undefined && token.kind !== 'end'
}

function isSign(token: Token | undefined, text: string): boolean {
  return token?.kind === 'sign' && token.text === text
}
