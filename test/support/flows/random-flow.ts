import { pick } from '../load/random-json.ts'
import { inARow } from './documents.ts'

type Random = () => number
type Node = { id: string; [property: string]: unknown }

/**
 * The document of a flow that reads and writes items of the lists `cards` and `plain` at random, and responds with what each node has
 * seen of items, except for their ids and times.
 * @param ids of items, by list; the flow also names others
 */
export function randomFlow(random: Random, path: string, ids: Readonly<Record<string, readonly string[]>>) {
  const acts = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, n) => randomNode(random, `s${n}`, ids))
  const body = `json([${acts.map(({ id, type }) => seen(id, String(type))).join(', ')}])`
  const nodes = [...acts, { id: 'answer', type: 'respond', body }]
  return { version: 1, name: path, entry: { type: 'endpoint', path }, nodes, edges: inARow(nodes) }
}

const ofItem = (item: string) => `[${item}.data, ${item}.version, ${item}.tags, ${item}.size, ${item}.identity]`

function seen(id: string, type: string): string {
  return type === 'list-items' ? `map(steps.${id}, x => [x.id, ...${ofItem('x')}])` : ofItem(`steps.${id}`)
}

function randomNode(random: Random, id: string, ids: Readonly<Record<string, readonly string[]>>): Node {
  const list = random() < 0.85 ? 'cards' : 'plain'
  const item = () =>
    JSON.stringify(pick(random, [pick(random, aliases), pick(random, [...(ids[list] ?? []), 'none'] as [string])]))
  switch (pick(random, ['list-items', 'list-items', 'get-item', 'create-item', 'update-item', 'delete-item'])) {
    case 'list-items':
      return { id, type: 'list-items', list, ...randomPage(random) }
    case 'get-item':
      return { id, type: 'get-item', list, item: item(), required: random() < 0.2 }
    case 'create-item':
      return {
        id,
        type: 'create-item',
        list,
        data: expression(randomData(random)),
        tags: expression(randomTags(random)),
      }
    case 'update-item':
      return {
        id,
        type: 'update-item',
        list,
        item: item(),
        [pick(random, ['merge', 'data'])]: expression(randomData(random)),
      }
    default:
      return { id, type: 'delete-item', list, item: item() }
  }
}

const expression = (value: unknown) => JSON.stringify(value)

const aliases = ['a', 'b', 'c', 'd', 'e', 'f'] as const

/** Data of items: `slug` is the alias, `n` a number that may be missing, `topics` has several values, `text` words. */
export function randomData(random: Random): Record<string, unknown> {
  return {
    ...(random() < 0.5 && { slug: pick(random, aliases) }),
    ...(random() < 0.7 && { n: pick(random, [1, 2, 2.5, 10, -3, 1e3, 'many', null]) }),
    ...(random() < 0.6 && { topics: pick(random, [[], ['red'], ['red', 'Blue'], 'green', ['blue', null]]) }),
    ...(random() < 0.4 && { text: pick(random, ['Crème brûlée', 'pea soup', 'soup of the day']) }),
  }
}

export function randomTags(random: Random): string[] {
  return pick(random, [[], ['new'], ['New', 'old'], ['old', 'OLD', 'odd']])
}

function randomPage(random: Random): Record<string, unknown> {
  const where = Object.fromEntries(Array.from({ length: Math.floor(random() * 3) }, () => randomCondition(random, 0)))
  return {
    ...(Object.keys(where).length > 0 && {
      where: Object.fromEntries(Object.entries(where).map(([name, value]) => [name, expression(value)])),
    }),
    ...(random() < 0.5 && { order: pick(random, orders) }),
    ...(random() < 0.4 && { direction: pick(random, ['asc', 'desc']) }),
    limit: pick(random, [1, 3, 20]),
  }
}

const orders = ['createdAt', 'size', 'readonly', 'activated', 'locked', 'n', 'title', 'topic', 'nowhere'] as const

/** A condition by its name; a few are invalid for the list. */
function randomCondition(random: Random, level: number): [string, unknown] {
  if (level < 2 && random() < 0.25) {
    const inner = () => Object.fromEntries([randomCondition(random, level + 1)])
    const group = pick(random, ['or', 'and', 'not'])
    return [group, group === 'not' ? inner() : [inner(), inner()]]
  }
  const name = pick(random, Object.keys(values) as [keyof typeof values])
  const value: unknown = pick<unknown>(random, values[name])
  return [name, typeof value === 'string' && random() < 0.25 ? `not:${value}` : value]
}

const numbers = ['2', 'eq:2', 'lt:3', 'gte:2', 'gt:-3', 'in:1,10', 'null', 'soon', 2] as const
const values = {
  n: [...numbers, 'lte:2.5'],
  size: [...numbers, 'gt:20'],
  topic: ['re', 'eq:red', 'starts:B', 'in:green,blue', 'null', null],
  alias: ['eq:a', 'a', 'in:b,C', 'starts:d', 'null', null],
  slug: ['eq:a'],
  title: ['eq:Crème brûlée'],
  tagged: ['new', 'old,odd', 'null', 'a b'],
  version: ['1', 'eq:1.0.1', 'starts:1.0.', 'in:1.0.0,2.0.0'],
  readonly: [true, 'false', 'maybe'],
  activated: [false, true],
  identityId: ['null', 'in:01890000-0000-7000-8000-000000000001', 'nobody'],
  createdAt: ['after:2001', 'before:2001', 'yesterday'],
  mine: [true, 'false'],
  search: ['soup', 'creme day', 'x'],
  nowhere: ['1'],
} as const satisfies Record<string, readonly unknown[]>
