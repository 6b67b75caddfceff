import { findAt } from '#shared/json/edit/at-pointer.ts'
import { isObject } from '#shared/json/is-object.ts'
import { childPointer } from '#shared/json/pointer.ts'
import { compact } from '#shared/json/text/layout.ts'
import type { Helpers } from '../../expression/check.ts'
import { readExpression } from '../../expression/check.ts'
import { ExpressionError } from '../../expression/expression-error.ts'
import { filterKey } from '../../expression/syntax.ts'
import { idRule } from '../../id.ts'
import { lengths } from '../../limits.ts'
import { foldTags, tagErrors } from '../../tags.ts'
import { isLongerThan } from '../../text/code-points.ts'
import { didYouMean } from '../../text/nearest.ts'
import type { DiagnosticCode, Diagnostics } from './diagnostics.ts'
import type { FlowExpression, Property, SwitchCase } from './properties.ts'
import { nodeIdMessage, nodeIdPattern } from './properties.ts'
import { headerNameError } from './response-headers.ts'

/** The context that the values of one object of the document share. `names`: the names that its expressions may use. */
export type Reading = {
  diagnostics: Diagnostics
  /** The text of the document. */
  text: string
  helpers: Helpers
  names: readonly string[]
  /** The id of the node that contains it. */
  node?: string | undefined
}

/** A place in the document, to report diagnostics at. `error` returns undefined, for use as the value. */
export class Place {
  readonly reading: Reading
  readonly pointer: string

  constructor(reading: Reading, pointer: string) {
    this.reading = reading
    this.pointer = pointer
  }

  at(key: string | number): Place {
    return new Place(this.reading, childPointer(this.pointer, key))
  }

  /** @param at if the value is a text: the offset in it */
  error(code: DiagnosticCode, message: string, at?: number): undefined {
    const { diagnostics, node } = this.reading
    diagnostics.add({ pointer: this.pointer, code, message, node, ...(at !== undefined && { at }) })
  }

  warning(code: DiagnosticCode, message: string, at?: number): void {
    const { diagnostics, node } = this.reading
    diagnostics.add({
      pointer: this.pointer,
      code,
      message,
      node,
      severity: 'warning',
      ...(at !== undefined && { at }),
    })
  }

  /** Reports properties with unknown names, and suggests a known name for each. */
  unknownProperties(object: Record<string, unknown>, known: readonly string[]): void {
    for (const name of Object.keys(object)) {
      if (this.reading.diagnostics.isFull) return
      if (!known.includes(name)) this.at(name).error('UNKNOWN_PROPERTY', `is not allowed${this.hint(name, known)}`)
    }
  }

  /** The end of a message about an unknown name: the suggested name, as long as there are few errors. */
  hint(name: string, known: Iterable<string>): string {
    return this.mayHint ? didYouMean(name, [...known]) : ''
  }

  get mayHint(): boolean {
    return this.reading.diagnostics.mayHint
  }
}

/** Reads a value by the row of its property. @returns undefined if it does not match, after reporting a diagnostic */
export function readValue(place: Place, property: Property, value: unknown): unknown {
  switch (property.kind) {
    case 'expression':
      return readText(place, value)
    case 'conditions':
    case 'headers':
      return readNamed(place, property, value)
    case 'cases':
      return readCases(place, property, value)
    case 'tags':
      return Array.isArray(value) ? readTags(place, value) : readText(place, value)
    case 'text':
      return readPlainText(place, property, value)
    case 'integer':
      return readInteger(place, property, value)
    case 'flag':
      return typeof value === 'boolean' ? value : place.error('WRONG_TYPE', 'must be true or false')
    case 'choice':
      return property.of.includes(value as string)
        ? value
        : place.error('INVALID', `must be one of ${property.of.join(', ')}`)
    case 'ids':
      return readIds(place, property, value)
    case 'object':
      return isObject(value)
        ? findAt(compact(place.reading.text), place.pointer)
        : place.error('WRONG_TYPE', 'must be an object')
    case 'any':
      return value
  }
}

/** The text of an expression. */
function readText(place: Place, value: unknown): FlowExpression | undefined {
  if (typeof value !== 'string') return place.error('WRONG_TYPE', 'must be a string with an expression')
  try {
    return { ...readExpression(value, place.reading), pointer: place.pointer }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return place.error('EXPRESSION', error.message, error.source.at)
  }
}

/** Expressions by name. */
function readNamed(
  place: Place,
  { kind, max }: Property & { kind: 'conditions' | 'headers' },
  value: unknown,
): ReadonlyMap<string, FlowExpression> | undefined {
  if (!isObject(value)) return place.error('WRONG_TYPE', 'must be an object of expressions')
  const entries = Object.entries(value)
  if (entries.length > max) return place.error('INVALID', `must have at most ${max} entries`)
  const read = entries.flatMap(([name, text]) => {
    const nameError = kind === 'headers' ? headerNameError(name) : null
    if (nameError !== null) place.at(name).error('HEADER', nameError)
    const expression = kind === 'conditions' ? readCondition(place.at(name), text) : readText(place.at(name), text)
    return nameError === null && expression ? [[name, expression] as const] : []
  })
  return read.length === entries.length ? new Map(read) : undefined
}

/** Reads an expression; `{"filter": text}` is an expression whose value is such an object. */
function readCondition(place: Place, value: unknown): FlowExpression | undefined {
  if (!isObject(value)) return readText(place, value)
  place.unknownProperties(value, [filterKey])
  const at = place.at(filterKey)
  if (!Object.hasOwn(value, filterKey)) return at.error('REQUIRED', 'is required')
  const expression = readText(at, value[filterKey])
  if (!expression || Object.keys(value).length > 1) return undefined
  const { node, ...rest } = expression
  return { ...rest, node: { kind: 'object', at: node.at, members: [{ key: filterKey, value: node }] } }
}

const caseNames = ['when', 'port']

function readCases(place: Place, { max }: Property & { kind: 'cases' }, value: unknown): SwitchCase[] | undefined {
  if (!Array.isArray(value) || value.length === 0)
    return place.error(
      'WRONG_TYPE',
      'must be an array of at least one case, such as {"when": "input.a > 1", "port": "big"}',
    )
  if (value.length > max) return place.error('INVALID', `must have at most ${max} cases`)
  const read = value.flatMap((entry, n) => readCase(place.at(n), entry) ?? [])
  return read.length === value.length ? read : undefined
}

function readCase(place: Place, entry: unknown): SwitchCase | undefined {
  if (!isObject(entry)) return place.error('WRONG_TYPE', 'must be an object with when and port')
  place.unknownProperties(entry, caseNames)
  for (const name of caseNames) if (!Object.hasOwn(entry, name)) place.at(name).error('REQUIRED', 'is required')
  const when = Object.hasOwn(entry, 'when') ? readText(place.at('when'), entry.when) : undefined
  const port = Object.hasOwn(entry, 'port') ? readPort(place.at('port'), entry.port) : undefined
  return when && port !== undefined ? { when, port } : undefined
}

function readPort(place: Place, value: unknown): string | undefined {
  return typeof value === 'string' && isNodeId(value) ? value : place.error('INVALID', nodeIdMessage)
}

const nodeId = new RegExp(nodeIdPattern)

/** Whether a text may be the id of a node, or the name of a port. */
export function isNodeId(text: string): boolean {
  return nodeId.test(text)
}

function readTags(place: Place, value: readonly unknown[]): readonly string[] | undefined {
  const [error] = tagErrors(value, '')
  return error ? place.error('INVALID', error.message) : foldTags(value as readonly string[])
}

function readPlainText(
  place: Place,
  { min, max, rule }: Property & { kind: 'text' },
  value: unknown,
): string | undefined {
  if (typeof value !== 'string') return place.error('WRONG_TYPE', 'must be a string')
  if (min && value === '') return place.error('INVALID', 'must not be empty')
  if (isLongerThan(value, max)) return place.error('INVALID', `must be at most ${max} characters long`)
  if (value.includes('\u0000')) return place.error('INVALID', 'must not contain U+0000')
  return rule && !new RegExp(rule.pattern).test(value) ? place.error('INVALID', rule.message) : value
}

function readInteger(place: Place, { min, max }: Property & { kind: 'integer' }, value: unknown): number | undefined {
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number
  return place.error('INVALID', min === max ? `must be ${min}` : `must be a whole number from ${min} to ${max}`)
}

function readIds(place: Place, { max }: Property & { kind: 'ids' }, value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0)
    return place.error('WRONG_TYPE', 'must be an array of at least one id')
  if (value.length > max) return place.error('INVALID', `must have at most ${max} ids`)
  const idProperty = { kind: 'text', max: lengths.id, rule: idRule, about: '' } as const
  const read = value.flatMap((id, n) => readPlainText(place.at(n), idProperty, id) ?? [])
  return read.length === value.length ? [...new Set(read)] : undefined
}
