import { pick } from '../load/random-json.ts'

type Random = () => number

const flags = ['readonly', 'realtime', 'protected', 'indexable', 'generative'] as const
const indexFlags = ['alias', 'sorting', 'filtering', 'searching', 'guard'] as const
const schemas = [null, { type: 'object' }, { properties: { a: {}, b: { type: 'string' } } }] as const

/** A document as a client writes it. */
export type RandomDocument = { scope?: string; lists: Record<string, Record<string, unknown>> }

/** A valid document of a few lists and indexes; with few names, so that documents name each other's lists. */
export function randomDocument(random: Random): RandomDocument {
  const scope = pick(random, [undefined, 'app', 'App', 'other'])
  const lists = entries(random, ['a', 'B', 'c', 'd'], () => randomList(random))
  return { ...(scope !== undefined && { scope }), lists }
}

function randomList(random: Random): Record<string, unknown> {
  return {
    ...randomTexts(random),
    ...some(random, 'schema', () => pick(random, schemas)),
    ...Object.assign({}, ...flags.map((flag) => some(random, flag, () => random() < 0.2))),
    ...some(random, 'indexes', () => entries(random, ['i', 'J', 'k'], () => randomIndex(random))),
  }
}

function randomIndex(random: Random): Record<string, unknown> {
  const pointers = ['/a', '/b', '/b/c', '/d'] as const
  return {
    ...randomTexts(random),
    ...(random() < 0.8 && { pointer: pick(random, pointers) }),
    ...some(random, 'valueType', () => pick(random, ['string', 'number', 'date'])),
    ...some(random, 'defaultOrderDirection', () => pick(random, ['asc', 'desc'])),
    ...Object.assign({}, ...indexFlags.map((flag) => some(random, flag, () => random() < 0.3))),
  }
}

function randomTexts(random: Random): Record<string, unknown> {
  return {
    ...some(random, 'name', () => pick(random, ['One', 'Two'])),
    ...some(random, 'description', () => pick(random, ['', 'x'])),
    ...some(random, 'tags', () => ['Red', 'blue', 'APP'].filter(() => random() < 0.5)),
  }
}

/** A property in a third of the cases. */
function some(random: Random, name: string, value: () => unknown): Record<string, unknown> {
  return random() < 0.33 ? { [name]: value() } : {}
}

/** Some of the names, at random in upper case, each with an entry. */
function entries<T>(random: Random, names: readonly string[], entry: () => T): Record<string, T> {
  const chosen = names.filter(() => random() < 0.5)
  return Object.fromEntries(chosen.map((name) => [random() < 0.2 ? name.toUpperCase() : name, entry()]))
}
