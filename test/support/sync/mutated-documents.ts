import { namesIn } from '#shared/domain/fields/values.ts'
import { listFields } from '#shared/domain/list/fields.ts'
import { indexFields } from '#shared/domain/list/index-fields.ts'
import { pick } from '../load/random-json.ts'
import { randomDocument } from './random-documents.ts'

type Random = () => number

const emoji = '😀'
/** Values at the limits of the rules: each is valid for some property and invalid for others. */
const values = [
  null,
  true,
  0,
  '',
  'x',
  'a b',
  'a\n',
  '\u0000',
  '\ud800',
  'Asc',
  'asc',
  'date',
  '/a/~0~1',
  '/~2',
  'a/b',
  '//',
  [],
  {},
  ['a', 'A'],
  ['!'],
  [null],
  ['x'.repeat(50)],
  ['x'.repeat(51)],
  ['a\n'],
  Array(20).fill('a'),
  Array(21).fill('a'),
  { type: 'string' },
  { type: 'x' },
  { properties: { a: { required: 'b' } } },
  { a: [] },
  ...[50, 200, 1_024, 10_000].flatMap((length) => [emoji.repeat(length), `x${emoji.repeat(length)}`]),
  ...[51, 1_025].map((length) => `/${'x'.repeat(length - 1)}`),
] as const

const keys = ['__proto__', 'constructor', '', 'a b', 'ü', 'z\n', 'x'.repeat(200), 'x'.repeat(201)] as const
const properties = [
  '$schema',
  'scope',
  'lists',
  'indexes',
  'pathName',
  'activated',
  'id',
  '__proto__',
  'toString',
  ...namesIn(listFields, 'sync'),
  ...namesIn(indexFields, 'sync'),
] as [string, ...string[]]

/** A valid document; about two in three have something changed or added, which may leave them valid. */
export function mutatedDocument(random: Random): unknown {
  const { lists, ...rest } = randomDocument(random)
  const changed = mutatedEntries(random, lists, ({ indexes, ...entry }) =>
    withValue(random, {
      ...entry,
      ...(indexes !== undefined && {
        indexes: mutatedEntries(random, indexes as Entries, (index) => withValue(random, index)),
      }),
    }),
  )
  return withValue(random, { ...rest, lists: changed })
}

type Entry = Record<string, unknown>
type Entries = Record<string, Entry>

/** Own properties only, as from JSON, `__proto__` too. */
function mutatedEntries(random: Random, entries: Entries, mutated: (entry: Entry) => unknown): Entry {
  const all = Object.entries(entries).map(([key, entry]) => [key, mutated(entry)] as const)
  return Object.fromEntries(
    random() < 0.1 ? [...all, [pick(random, keys), pick<unknown>(random, [{}, null, []])]] : all,
  )
}

function withValue(random: Random, entry: Entry): Entry {
  if (random() < 0.8) return entry
  return Object.fromEntries([...Object.entries(entry), [pick(random, properties), pick(random, values)]])
}
