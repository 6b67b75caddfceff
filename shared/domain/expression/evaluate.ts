import type { LinearRegExp } from '#shared/json-schema/patterns/linear-regexp.ts'
import { linearRegExp } from '#shared/json-schema/patterns/linear-regexp.ts'
import type { Measures } from './bounds.ts'
import { maxValueDepth, tooDeep } from './bounds.ts'
import type { Expression, Helpers } from './check.ts'
import { ExpressionError } from './expression-error.ts'
import type { Callback } from './functions/function.ts'
import { functions } from './functions/functions.ts'
import type { Operation } from './operations.ts'
import { negate, numberOrFail, operate } from './operations.ts'
import type { Random } from './random.ts'
import { stepsOfMembers } from './steps.ts'
import type { Helper, Lambda, Node } from './syntax.ts'
import { filterKey } from './syntax.ts'
import type { Value } from './value.ts'
import { isList, isValueObject, kindNames, kindOf, objectOf } from './value.ts'

/** The state that the expressions of one run share. */
export type Run = {
  /** Remaining steps. Each evaluated node takes one, and creating or reading values takes those of `steps.ts`. */
  fuel: number
  helpers: Helpers
  random: Random
  /** The patterns that were compiled most recently. */
  patterns: Map<string, LinearRegExp>
  measures: Measures
  /** The objects written as `{filter: …}` in an expression. An object from elsewhere is not a filter, even if it looks the same. */
  filters: WeakSet<object>
}

/** The maximum nesting of evaluations. Helpers call those above them, so chains can be as long as the number of helpers. */
const maxNesting = 1_000

/** The memory, in bytes, that a pattern may keep between texts. */
const patternBytes = 64 * 1024
/** The number of patterns that a run caches. */
const keptPatterns = 16
/** The steps to compile a pattern: a fixed number, and a number per instruction. */
const patternSteps = { each: 300, instruction: 5 }

/**
 * Evaluates an expression. The steps and the value are the same on every machine.
 * @param names the values that it may refer to, within the bounds of `bounds.ts`
 * @throws ExpressionError if a value is of the wrong kind or exceeds its bounds, or the run has no fuel left
 */
export function evaluate(run: Run, { text, node }: Expression, names: ReadonlyMap<string, Value>): Value {
  const value = new Evaluation(run, text, 0).valueOf(node, { names, outer: null })
  // A value that is only read is part of a value already within bounds.
  const excess = isRead(node, run.helpers) ? null : run.measures.excessOf(value)
  if (excess === null) return value
  throw new ExpressionError('limit', `the value ${excess}`, { text, at: node.at })
}

function isRead(node: Node, helpers: Helpers): boolean {
  if (node.kind === 'member' || node.kind === 'element') return isRead(node.of, helpers)
  return node.kind === 'name' && !helpers.has(node.name)
}

function isFilter({ members: [member, ...others] }: Node & { kind: 'object' }): boolean {
  return others.length === 0 && member !== undefined && 'key' in member && member.key === filterKey
}

/** Names and their values. Parameters hide outer names. */
type Scope = { names: ReadonlyMap<string, Value>; outer: Scope | null }

/** Ends a chain of keys at `?.` if there is no value to read from. */
const nothing = Symbol('nothing')

class Evaluation {
  readonly #run: Run
  readonly #text: string
  #nesting: number

  constructor(run: Run, text: string, nesting: number) {
    this.#run = run
    this.#text = text
    this.#nesting = nesting
  }

  valueOf(node: Node, scope: Scope): Value {
    const value = this.#chain(node, scope)
    return value === nothing ? null : value
  }

  #chain(node: Node, scope: Scope): Value | typeof nothing {
    this.#burn(1, node)
    if (++this.#nesting > maxNesting)
      throw this.#limit(node, `evaluations nest deeper than ${maxNesting.toLocaleString('en-US')} levels`)
    const value = this.#evaluated(node, scope)
    this.#nesting--
    return value
  }

  #evaluated(node: Node, scope: Scope): Value | typeof nothing {
    switch (node.kind) {
      case 'literal':
        return node.value
      case 'name':
        return this.#named(node, scope)
      case 'list':
        return this.#list(node, scope)
      case 'object':
        return this.#object(node, scope)
      case 'member':
        return this.#read(node, scope, () => node.key)
      case 'element':
        return this.#read(node, scope, () => this.valueOf(node.key, scope))
      case 'call':
        return this.#call(node, scope)
      case 'unary':
        return node.sign === '!'
          ? !this.#condition(node.of, scope)
          : negate(this.valueOf(node.of, scope), this.#operation(node))
      case 'binary':
        return this.#binary(node, scope)
      case 'choice':
        return this.valueOf(this.#condition(node.condition, scope) ? node.then : node.otherwise, scope)
    }
  }

  #named(node: Node & { kind: 'name' }, scope: Scope): Value {
    for (let at: Scope | null = scope; at; at = at.outer) {
      const value = at.names.get(node.name)
      if (value !== undefined) return value
    }
    const helper = this.#run.helpers.get(node.name)
    if (helper?.parameters === null) return this.#helper(helper, [], scope)
    throw this.#error(node, `there is no "${node.name}" here`)
  }

  #list(node: Node & { kind: 'list' }, scope: Scope): Value {
    const list: Value[] = []
    for (const { value: entry, isSpread } of node.entries) {
      const value = this.valueOf(entry, scope)
      const entries = !isSpread ? [value] : isList(value) ? value : null
      if (!entries) throw this.#error(entry, `"..." takes a list here, not ${kindNames[kindOf(value)]}`)
      this.#burn(entries.length, entry)
      for (const one of entries) list.push(one)
    }
    return list
  }

  #object(node: Node & { kind: 'object' }, scope: Scope): Value {
    const members: [string, Value][] = []
    for (const member of node.members) {
      if ('spread' in member) for (const one of this.#spreadMembers(member.spread, scope)) members.push(one)
      else members.push([this.#keyOf(member.key, scope), this.valueOf(member.value, scope)])
    }
    this.#burn(stepsOfMembers(members.length), node)
    const object = objectOf(members)
    if (isFilter(node)) this.#run.filters.add(object)
    return object
  }

  #spreadMembers(node: Node, scope: Scope): [string, Value][] {
    const value = this.valueOf(node, scope)
    if (!isValueObject(value)) throw this.#error(node, `"..." takes an object here, not ${kindNames[kindOf(value)]}`)
    const members = Object.entries(value)
    this.#burn(stepsOfMembers(members.length), node)
    return members
  }

  #keyOf(key: string | Node, scope: Scope): string {
    return typeof key === 'string' ? key : this.#textOf(key, scope, 'a key is')
  }

  #read(node: Node & { kind: 'member' | 'element' }, scope: Scope, keyOf: () => Value): Value | typeof nothing {
    const of = this.#chain(node.of, scope)
    if (of === nothing || (of === null && node.isOptional)) return nothing
    const key = keyOf()
    if (isValueObject(of) && typeof key === 'string') return Object.hasOwn(of, key) ? (of[key] ?? null) : null
    if (isList(of) && typeof key === 'number' && Number.isInteger(key)) return of.at(key) ?? null
    const named = typeof key === 'string' ? JSON.stringify(key) : 'an element'
    if (of === null) throw this.#error(node, `cannot read ${named} from null; use "?." to get null`)
    if (isList(of))
      throw this.#error(node, `a position in a list must be a whole number, not ${kindNames[kindOf(key)]}`)
    if (isValueObject(of)) throw this.#error(node, `a key of an object must be a text, not ${kindNames[kindOf(key)]}`)
    throw this.#error(node, `cannot read ${named} from ${kindNames[kindOf(of)]}`)
  }

  #call(node: Node & { kind: 'call' }, scope: Scope): Value {
    const helper = this.#run.helpers.get(node.name)
    if (helper?.parameters) {
      const args = node.args.map((arg) => {
        if (arg.kind === 'lambda') throw this.#error(node, `"${node.name}" takes values, not functions`)
        return this.valueOf(arg, scope)
      })
      return this.#helper(helper, args, scope)
    }
    const implementation = functions.get(node.name)
    if (!implementation) throw this.#error(node, `there is no function "${node.name}"`)
    const value = implementation.call({
      args: node.args.map((arg) => (arg.kind === 'lambda' ? this.#callback(arg, scope) : this.valueOf(arg, scope))),
      ...this.#counting(node),
      random: this.#run.random,
      pattern: (source) => this.#pattern(source, node),
      error: (message) => this.#error(node, `${node.name} ${message}`),
      limit: (message) => this.#limit(node, `${node.name} ${message}`),
    })
    return typeof value === 'number' ? numberOrFail(value, this.#operation(node)) : value
  }

  /** Compiles a pattern, or returns it from the cache. */
  #pattern(source: string, node: Node): LinearRegExp {
    const { patterns } = this.#run
    const known = patterns.get(source)
    if (known) return known
    this.#burn(patternSteps.each, node)
    const compiled = linearRegExp(source, patternBytes)
    this.#burn(patternSteps.instruction * compiled.size, node)
    const [oldest] = patterns.keys()
    if (oldest !== undefined && patterns.size >= keptPatterns) patterns.delete(oldest)
    patterns.set(source, compiled)
    return compiled
  }

  #callback({ parameters, body }: Lambda, outer: Scope): Callback {
    return (...args) => this.valueOf(body, { names: boundTo(parameters, args), outer })
  }

  /** A helper sees the names of the run, but not the names in scope at its call. */
  #helper({ parameters, body, text }: Helper, args: readonly Value[], scope: Scope): Value {
    let outermost = scope
    while (outermost.outer) outermost = outermost.outer
    const names = boundTo(parameters ?? [], args)
    return new Evaluation(this.#run, text, this.#nesting).valueOf(body, { names, outer: outermost })
  }

  #binary({ sign, left, right, at }: Node & { kind: 'binary' }, scope: Scope): Value {
    switch (sign) {
      case '&&':
        return this.#condition(left, scope) && this.#condition(right, scope)
      case '||':
        return this.#condition(left, scope) || this.#condition(right, scope)
      case '??':
        return this.valueOf(left, scope) ?? this.valueOf(right, scope)
      default:
        return operate(sign, [this.valueOf(left, scope), this.valueOf(right, scope)], this.#operation({ at }))
    }
  }

  /** How an operation at a node counts its steps and creates its errors. */
  #operation(node: { at: number }): Operation {
    return { ...this.#counting(node), error: (message) => this.#error(node, message) }
  }

  #counting(node: { at: number }): Pick<Operation, 'burn' | 'nested'> {
    return {
      burn: (steps) => this.#burn(steps, node),
      nested: (depth) => {
        if (depth > maxValueDepth) throw this.#limit(node, `a value ${tooDeep}`)
      },
    }
  }

  #condition(node: Node, scope: Scope): boolean {
    const value = this.valueOf(node, scope)
    if (typeof value === 'boolean') return value
    throw this.#error(node, `a condition must be true or false, not ${kindNames[kindOf(value)]}`)
  }

  #textOf(node: Node, scope: Scope, what: string): string {
    const value = this.valueOf(node, scope)
    if (typeof value === 'string') return value
    throw this.#error(node, `${what} a text, not ${kindNames[kindOf(value)]}`)
  }

  #burn(steps: number, node: { at: number }): void {
    this.#run.fuel -= steps
    if (this.#run.fuel < 0) throw this.#limit(node, 'it took more steps than a run may take')
  }

  #limit({ at }: { at: number }, message: string): ExpressionError {
    return new ExpressionError('limit', message, { text: this.#text, at })
  }

  #error({ at }: { at: number }, message: string): ExpressionError {
    return new ExpressionError('value', message, { text: this.#text, at })
  }
}

function boundTo(parameters: readonly string[], args: readonly Value[]): ReadonlyMap<string, Value> {
  return new Map(parameters.map((name, n) => [name, args[n] ?? null]))
}
