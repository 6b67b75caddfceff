import { didYouMean } from '../text/nearest.ts'
import { childrenOf } from './children.ts'
import { ExpressionError } from './expression-error.ts'
import type { ExpressionFunction } from './functions/function.ts'
import { functions } from './functions/functions.ts'
import { parseExpression, parseHelpers } from './parse.ts'
import type { Helper, Lambda, Node } from './syntax.ts'

/** A checked expression without unknown names, ready to be evaluated. */
export type Expression = { text: string; node: Node }
export type Helpers = ReadonlyMap<string, Helper>

/**
 * Parses an expression and checks each name in it.
 * @param names the values that the expression may name
 * @throws ExpressionError with the place of its first error
 */
export function readExpression(
  text: string,
  { names, helpers }: { names: Iterable<string>; helpers: Helpers },
): Expression {
  const node = parseExpression(text)
  checkNames(node, { text, helpers, values: new Set(names) })
  return { text, node }
}

/**
 * Parses helpers. Each helper sees only those above it, so recursion is impossible.
 * @throws ExpressionError with the place of the first error
 */
export function readHelpers(text: string, names: Iterable<string>): Helpers {
  const helpers = new Map<string, Helper>()
  const values = new Set(names)
  for (const helper of parseHelpers(text)) {
    const { name, at, parameters, body } = helper
    const isTaken = helpers.has(name) || values.has(name) || functions.has(name)
    if (isTaken) throw new ExpressionError('syntax', `"${name}" is already defined`, { text, at })
    checkNames(body, { text, helpers, values: values.union(distinct(parameters ?? [], { text, at })) })
    helpers.set(name, helper)
  }
  return helpers
}

type Known = { text: string; helpers: Helpers; values: ReadonlySet<string> }

function checkNames(node: Node, known: Known): void {
  if (node.kind === 'name') checkName(node, known)
  else if (node.kind === 'call') checkCall(node, known)
  else for (const child of childrenOf(node)) checkNames(child, known)
}

function checkName({ name, at }: Node & { kind: 'name' }, { text, helpers, values }: Known): void {
  const helper = helpers.get(name)
  if (values.has(name) || helper?.parameters === null) return
  const isFunction = helper !== undefined || functions.has(name)
  const lets = [...helpers.values()].filter(({ parameters }) => parameters === null).map((one) => one.name)
  const message = isFunction
    ? `"${name}" is a function; call it as ${name}(…)`
    : `there is no "${name}" here${didYouMean(name, [...values, ...lets])}`
  throw new ExpressionError('syntax', message, { text, at })
}

function checkCall({ name, at, args }: Node & { kind: 'call' }, known: Known): void {
  const { text, helpers } = known
  const error = (message: string, where = at) => new ExpressionError('syntax', message, { text, at: where })
  const { least, most, callback, isEither } = signatureOf(name, known) ?? {}
  if (least === undefined || most === undefined) {
    const named = [...functions.keys(), ...[...helpers.values()].filter((one) => one.parameters).map((one) => one.name)]
    throw error(`there is no function "${name}"${didYouMean(name, named)}`)
  }
  if (args.length < least || args.length > most)
    throw error(`"${name}" takes ${argumentsText(least, most)}, not ${args.length}`)
  for (const [n, arg] of args.entries()) {
    if (arg.kind !== 'lambda' && n === callback && !isEither)
      throw error(`"${name}" takes a function here, such as x => x`, arg.at)
    if (arg.kind !== 'lambda') checkNames(arg, known)
    else if (n === callback) checkLambda(arg, known)
    else throw error(`"${name}" takes a value here, not a function`, arg.at)
  }
}

function signatureOf(
  name: string,
  { helpers }: Known,
): Pick<ExpressionFunction, 'least' | 'most' | 'callback' | 'isEither'> | undefined {
  const count = helpers.get(name)?.parameters?.length
  return count === undefined ? functions.get(name) : { least: count, most: count }
}

function checkLambda({ parameters, body, at }: Lambda, known: Known): void {
  const own = distinct(parameters, { text: known.text, at })
  if (own.size > 2)
    throw new ExpressionError('syntax', 'a function of an element takes at most the element and its position', {
      text: known.text,
      at,
    })
  checkNames(body, { ...known, values: known.values.union(own) })
}

function distinct(names: readonly string[], where: { text: string; at: number }): ReadonlySet<string> {
  const set = new Set(names)
  if (set.size < names.length) throw new ExpressionError('syntax', 'two parameters have the same name', where)
  return set
}

function argumentsText(least: number, most: number): string {
  if (most === 0) return 'no arguments'
  const count = least === most ? `${least}` : most >= 100 ? `at least ${least}` : `${least} to ${most}`
  return `${count} ${most === 1 ? 'argument' : 'arguments'}`
}
