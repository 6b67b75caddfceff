import { isRawNumber, parseExact } from '#shared/json/exact.ts'
import { maxValueBytes } from '../../expression/bounds.ts'
import type { Value } from '../../expression/value.ts'
import { isList, kindNames, kindOf, objectOf } from '../../expression/value.ts'
import { withoutValuesAt } from '../../item/guard.ts'
import type { Item } from '../../item/item.ts'
import { serializeItem } from '../../item/item.ts'
import { pathNameKey } from '../../path-name.ts'
import { foldTags, tagErrors } from '../../tags.ts'
import type { NodeOf } from '../language/flow.ts'
import type { FlowExpression } from '../language/properties.ts'
import { conditionsOf } from '../where-value.ts'
import { changedData, newData } from './changed-data.ts'
import type { FlowAnswer, FlowAsk } from './driver.ts'
import { failure, wrongValue } from './failure.ts'
import type { KnownItem } from './run-items.ts'
import type { ItemValue } from './run-state.ts'
import type { Visit } from './visit.ts'
import { jsonOf } from './visit.ts'

/** The work of finding a page, as characters of JSON. */
const pageCharacters = 32 * 1024

type Acting<T = Value> = Generator<FlowAsk, T, FlowAnswer>

export function* getItem(visit: Visit, node: NodeOf<'get-item'>): Acting {
  const { found, ref } = yield* find(visit, node)
  if (!found && node.required) throw notFound(node, ref)
  return found?.now ? itemValue(visit, node, found.now).value : null
}

export function* listItems(visit: Visit, node: NodeOf<'list-items'>): Acting {
  const { state } = visit
  const list = pathNameKey(node.list)
  state.list(list)
  const { order, direction, guarded } = node
  // Asks for one more than may be read, so that the run fails only if there really are more.
  const limit = Math.min(node.limit, state.left('reads') + 1)
  const where = yield* whereText(visit, node)
  const answer = yield* state.ask({ ask: 'items', list, where, order, direction, limit, guarded })
  const items = 'items' in answer && answer.items ? answer.items : []
  state.take('reads', items.length)
  state.worked(pageCharacters)
  const values: Value[] = []
  let characters = 0
  for (const { now } of state.items.listed(list, items)) {
    if (!now) continue
    const { value, length } = itemValue(visit, node, now)
    values.push(value)
    characters += length
    // Items that exceed the bounds of a value together are not read to the end.
    if (characters > maxValueBytes) state.assertWithin(values)
    yield* state.pause()
  }
  return values
}

export function* createItem(visit: Visit, node: NodeOf<'create-item'>): Acting {
  const { state } = visit
  const data = newData(state, visit.json('data', node.data))
  const tags = tagsOf(visit, node.tags)
  const identity = node.owner ? yield* ownerOf(visit, node.owner) : null
  const list = pathNameKey(node.list)
  const { now } = state.items.create(state, list, { data, tags, identity, node: node.id })
  state.worked(data.length)
  yield* state.pause()
  return now && itemValue(visit, node, now).value
}

export function* updateItem(visit: Visit, node: NodeOf<'update-item'>): Acting {
  const { state } = visit
  const { found, ref } = yield* find(visit, node)
  if (!found?.now) throw notFound(node, ref)
  assertVersion(visit, node, found.now)
  const { data, sentBytes } = yield* changedData(visit, node, { before: found.now.data, guards: guardsOf(visit, node) })
  state.items.change(state, found, { data, sentBytes, node: node.id })
  state.worked(data.length)
  yield* state.pause()
  return itemValue(visit, node, found.now).value
}

export function* deleteItem(visit: Visit, node: NodeOf<'delete-item'>): Acting {
  const { state } = visit
  const { found, ref } = yield* find(visit, node)
  if (!found?.now) throw notFound(node, ref)
  const before = itemValue(visit, node, found.now).value
  state.items.change(state, found, { data: null, sentBytes: 0, node: node.id })
  return before
}

type NamesItem = { id: string; list: string; item: FlowExpression }

function* find(
  visit: Visit,
  { id: node, list, item }: NamesItem,
): Acting<{ found: KnownItem | null; ref: string | null }> {
  const { state } = visit
  const value = visit.value('item', item)
  // If no item was named, there is none.
  if (value === null) return { found: null, ref: null }
  if (typeof value !== 'string' && kindOf(value) !== 'number')
    throw wrongValue(item, `item must be an id or an alias, not ${kindNames[kindOf(value)]}`)
  const ref = isRawNumber(value) ? value.rawJSON : String(value)
  return { found: yield* state.items.find(state, { list: pathNameKey(list), ref, node }), ref }
}

function notFound({ list }: NamesItem, ref: string | null): Error {
  const named = ref === null ? 'null' : `"${ref.slice(0, 100).toWellFormed()}"`
  return failure('NOT_FOUND', `there is no item ${named} in ${list}`)
}

function assertVersion(visit: Visit, { ifVersion, list }: NodeOf<'update-item'>, { version }: Item): void {
  if (ifVersion === null) return
  const wanted = visit.text('ifVersion', ifVersion, 'a version, as item.version')
  if (wanted !== version)
    throw failure('CONFLICT', `the item of ${list} has the version ${version}, not ${wanted.slice(0, 50)}`)
}

/** JSON text, as in the parameter `where` of a page. */
function* whereText(visit: Visit, { where }: NodeOf<'list-items'>): Acting<string | null> {
  if (where === null || where.size === 0) return null
  const conditions: [string, Value][] = []
  for (const [name, expression] of where) {
    conditions.push([name, visit.value(`where.${name}`, expression)])
    yield* visit.state.pause()
  }
  const values = objectOf(conditions)
  visit.state.assertWithin(values, 'where')
  const fail = (path: string, message: string): never => {
    const expression = where.get(path.split('.', 1)[0] ?? '') ?? [...where.values()][0]
    throw expression ? wrongValue(expression, `where.${path} ${message}`) : failure('EXPRESSION_ERROR', message)
  }
  const [expression] = where.values()
  const asked = conditionsOf(conditions, { filters: visit.state.filters, fail })
  return expression ? jsonOf(asked, expression) : null
}

function tagsOf(visit: Visit, tags: NodeOf<'create-item'>['tags']): string[] {
  if (tags === null) return []
  if (!('pointer' in tags)) return [...tags]
  const value = visit.value('tags', tags)
  const [error] = value === null ? [] : tagErrors(value, 'tags')
  if (error) throw wrongValue(tags, `${error.path} ${error.message}`)
  return isList(value) ? foldTags(value as readonly string[]) : []
}

function* ownerOf(visit: Visit, owner: FlowExpression): Acting<Item['identity']> {
  const { state } = visit
  const value = visit.value('owner', owner)
  if (value === null) return null
  if (typeof value !== 'string')
    throw wrongValue(owner, `owner must be the id of an identity or null, not ${kindNames[kindOf(value)]}`)
  const { identity: caller } = state.request
  if (caller?.id === value) return { id: caller.id, displayName: caller.displayName }
  state.take('reads')
  const answer = yield* state.ask({ ask: 'identity', id: value })
  const identity = 'identity' in answer && answer.identity ? answer.identity : null
  if (!identity) throw failure('NOT_FOUND', `there is no identity "${value.slice(0, 100).toWellFormed()}"`)
  return identity
}

/** Pointers of the values that a node does not see. */
function guardsOf(visit: Visit, { list, guarded }: { list: string; guarded: boolean }): readonly string[] {
  return guarded ? [] : visit.state.list(pathNameKey(list)).guards
}

/** An item as clients see it, as a value, with the length of its text. Nodes that read the same state of an item share one value. */
function itemValue(visit: Visit, node: { list: string; guarded: boolean }, item: Item): ItemValue {
  const values = visit.state.itemValues[node.guarded ? 'guarded' : 'open']
  const known = values.get(item)
  if (known !== undefined) return known
  const text = serializeItem(withoutValuesAt(item, guardsOf(visit, node)), { includeData: true })
  visit.state.readJson(text)
  const read = { value: parseExact(text) as Value, length: text.length }
  values.set(item, read)
  return read
}
