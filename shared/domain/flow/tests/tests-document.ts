import { parseExact } from '#shared/json/exact.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { flowTestLimits, lengths } from '../../limits.ts'
import { pathNameKey } from '../../path-name.ts'
import { tagErrors } from '../../tags.ts'
import { parseDate } from '../../text/date.ts'
import { type Diagnostic, Diagnostics, unreadableIn } from '../language/diagnostics.ts'
import type { Properties, ValuesOf } from '../language/properties.ts'
import { readProperties } from '../language/read-properties.ts'
import { Place } from '../language/read-value.ts'
import type { FlowIdentity } from '../run/driver.ts'

// The tests of a flow are a separate text next to its document: identities and items that all tests share, and the tests.

/** Tests without errors. */
export type FlowTests = {
  /** By id. */
  identities: ReadonlyMap<string, FlowIdentity>
  items: GivenItems
  tests: readonly FlowTest[]
}

/** By the key of the list, then by id. */
export type GivenItems = ReadonlyMap<string, ReadonlyMap<string, GivenItem>>

/** An item in a test; null: it must not exist. */
export type GivenItem =
  | (Omit<ValuesOf<typeof itemProperties>, 'owner'> & { tags: readonly string[]; owner: FlowIdentity | null })
  | null

export type FlowTest = {
  name: string
  /** Who calls; null: no identity. */
  identity: FlowIdentity | null
  input: unknown
  /** Epoch milliseconds. */
  now: number
  seed: string
  /** Added to the items of all tests, or replacing them. */
  items: GivenItems
  expect: Expectation
}

/** The expected result. An absent property is not checked. */
export type Expectation = {
  status?: number
  body?: unknown
  /** Text that the message of the failure must contain. */
  error?: string
  items?: Readonly<Record<string, unknown>>
  writes?: readonly unknown[]
  emits?: readonly unknown[]
}

export const testsProperties = {
  identities: { kind: 'any', about: 'The identities that may call, by id: their name, displayName, group and tags.' },
  items: { kind: 'any', about: 'The stored items, by the path name of their list and by id: {"data": …}.' },
  tests: { kind: 'any', required: true, about: 'The tests.' },
} as const satisfies Properties

export const identityProperties = {
  id: { kind: 'text', min: 1, max: lengths.id, about: 'Its id; by default the key.' },
  name: { kind: 'text', min: 1, max: lengths.identityName, about: 'Its name; by default its id.' },
  displayName: { kind: 'text', max: lengths.name, about: 'The name to show; by default its name.' },
  group: { kind: 'text', min: 1, max: lengths.group, initial: 'users', about: 'The name of its group.' },
  tags: { kind: 'any', about: 'Its tags.' },
} as const satisfies Properties

export const itemProperties = {
  data: { kind: 'any', required: true, about: 'Its data.' },
  tags: { kind: 'any', about: 'Its tags.' },
  version: {
    kind: 'text',
    max: lengths.version,
    rule: { pattern: '^\\d{1,15}\\.\\d{1,15}\\.\\d{1,15}$', message: 'must have the form <major>.<minor>.<patch>' },
    initial: '1.0.0',
    about: 'Its version.',
  },
  description: { kind: 'text', max: lengths.description, initial: '', about: 'A note about it.' },
  readonly: { kind: 'flag', initial: false, about: 'Whether it is read-only.' },
  locked: { kind: 'flag', initial: false, about: 'Whether it is locked.' },
  activated: { kind: 'flag', initial: true, about: 'Whether it is not a draft.' },
  owner: { kind: 'text', max: lengths.id, about: 'The id of the identity that owns it.' },
} as const satisfies Properties

export const testProperties = {
  name: { kind: 'text', min: 1, max: lengths.name, required: true, about: 'What the test shows.' },
  identity: { kind: 'text', max: lengths.id, about: 'The id of the identity that calls.' },
  input: { kind: 'any', about: 'The input of the run.' },
  now: { kind: 'text', max: 40, about: 'The time of the run, in ISO 8601.' },
  seed: {
    kind: 'text',
    max: lengths.name,
    about: 'The seed of all random values; by default the name of the test.',
  },
  items: { kind: 'any', about: 'Items in addition to those of all tests; null removes one of those.' },
  expect: { kind: 'any', required: true, about: 'The expected result of the run.' },
} as const satisfies Properties

export const expectProperties = {
  status: { kind: 'integer', min: 100, max: 599, about: 'The status of the answer.' },
  body: { kind: 'any', about: 'A part of its body.' },
  error: { kind: 'text', min: 1, max: lengths.description, about: 'A part of the message of the failure.' },
  items: {
    kind: 'any',
    about: 'A part of the data of items afterwards, by list and id; null: the item does not exist.',
  },
  writes: { kind: 'any', about: 'All changes in their order, each in part.' },
  emits: { kind: 'any', about: 'All emitted events in their order, each in part.' },
} as const satisfies Properties

/** The time of runs in tests that do not set one. */
const defaultNow = Date.UTC(2026, 0, 1)

/**
 * Reads the tests of a flow.
 * @param text their JSON text
 * @param lists keys of the lists that the flow names
 * @returns the tests, null if any diagnostic is an error. Paths are relative to the text
 */
export function readFlowTests(
  text: string,
  lists: readonly string[],
): { tests: FlowTests | null; diagnostics: Diagnostic[] } {
  const unreadable = unreadableIn(text)
  if (unreadable) return { tests: null, diagnostics: [unreadable] }
  const diagnostics = new Diagnostics()
  const root = new Place({ diagnostics, text, helpers: new Map(), names: [] }, '')
  const tests = readAll(root, parseExact(text), lists)
  return { tests: diagnostics.hasErrors ? null : tests, diagnostics: diagnostics.inOrder(text) }
}

function readAll(root: Place, value: unknown, lists: readonly string[]): FlowTests | null {
  if (!isObject(value)) return root.error('WRONG_TYPE', 'must be an object with tests') ?? null
  readProperties(root, value, testsProperties)
  const called = readIdentities(root.at('identities'), own(value, 'identities') ?? {})
  const known = { lists, identities: called }
  const items = readItems(root.at('items'), own(value, 'items') ?? {}, known)
  if (!Object.hasOwn(value, 'tests')) return null
  const identities = new Map([...called.values()].map((identity) => [identity.id, identity]))
  return { identities, items, tests: readTests(root.at('tests'), value.tests, known) }
}

/** `identities`: by the keys that tests use. */
type Known = { lists: readonly string[]; identities: ReadonlyMap<string, FlowIdentity> }

/** Reads identities: an object by the keys that tests use, or an array of identities with ids. */
function readIdentities(place: Place, value: unknown): ReadonlyMap<string, FlowIdentity> {
  if (!isObject(value) && !Array.isArray(value)) place.error('WRONG_TYPE', 'must be an object of identities by id')
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const read = entries.flatMap(([key, entry]) => {
    const identity = readIdentity(place.at(key), entry, key)
    return identity ? [[Array.isArray(value) ? identity.id : key, identity] as const] : []
  })
  return new Map(read)
}

function readIdentity(place: Place, entry: unknown, key: string): FlowIdentity | undefined {
  if (!isObject(entry)) return place.error('WRONG_TYPE', 'must be an object')
  const read = readProperties(place, entry, identityProperties)
  const tags = readTags(place.at('tags'), own(entry, 'tags'))
  if (!read || !tags) return undefined
  const { id = null, group } = read
  const name = read.name ?? id ?? key
  return { id: id ?? key, name, displayName: read.displayName ?? name, group, tags }
}

/** The identity that a test names by key or id. @returns undefined if there is none, after reporting a diagnostic */
function readReference(place: Place, reference: string | null, { identities }: Known): FlowIdentity | null | undefined {
  if (reference === null) return null
  const named = identities.get(reference) ?? [...identities.values()].find(({ id }) => id === reference)
  return named ?? place.error('INVALID', `is not an identity of the tests${place.hint(reference, identities.keys())}`)
}

function readTags(place: Place, value: unknown): readonly string[] | undefined {
  const [error] = value === undefined ? [] : tagErrors(value, '')
  return error ? place.error('INVALID', error.message) : ((value ?? []) as readonly string[])
}

function readItems(place: Place, value: unknown, known: Known): GivenItems {
  if (!isObject(value)) place.error('WRONG_TYPE', 'must be an object of items by list and id')
  return new Map(
    Object.entries(isObject(value) ? value : {}).map(([list, entries]) => {
      assertNamed(place.at(list), list, known)
      return [pathNameKey(list), readList(place.at(list), entries, known)] as const
    }),
  )
}

function assertNamed(place: Place, list: string, { lists }: Known): void {
  if (!lists.includes(pathNameKey(list)))
    place.error('UNKNOWN_LIST', `is not a list that the flow names${place.hint(list, lists)}`)
}

function readList(place: Place, value: unknown, known: Known): ReadonlyMap<string, GivenItem> {
  if (!isObject(value)) place.error('WRONG_TYPE', 'must be an object of items by id')
  return new Map(
    Object.entries(isObject(value) ? value : {}).map(([id, entry]) => [id, readItem(place.at(id), entry, known)]),
  )
}

function readItem(place: Place, value: unknown, known: Known): GivenItem {
  if (value === null) return null
  if (!isObject(value)) return place.error('WRONG_TYPE', 'must be {"data": …}, or null') ?? null
  const read = readProperties(place, value, itemProperties)
  const tags = readTags(place.at('tags'), own(value, 'tags'))
  const owner = read && readReference(place.at('owner'), read.owner, known)
  return read && tags && owner !== undefined ? { ...read, tags, owner } : null
}

function readTests(place: Place, value: unknown, known: Known): FlowTest[] {
  const { maxTests } = flowTestLimits
  if (!Array.isArray(value)) place.error('WRONG_TYPE', 'must be an array of tests')
  const tests: readonly unknown[] = Array.isArray(value) ? value : []
  if (tests.length > maxTests)
    place.at(maxTests).error('INVALID', `is one too many: a flow has at most ${maxTests} tests`)
  return tests.slice(0, maxTests).flatMap((test, n) => readTest(place.at(n), test, known) ?? [])
}

function readTest(place: Place, value: unknown, known: Known): FlowTest | undefined {
  if (!isObject(value)) return place.error('WRONG_TYPE', 'must be an object with name and expect')
  if (Object.hasOwn(value, 'event'))
    return place
      .at('event')
      .error('UNSUPPORTED_ENTRY', 'is for flows of the type event, which this version does not run')
  const { identity: caller, ...rest } = value
  const read = readProperties(place, caller === null ? rest : value, testProperties)
  const items = readItems(place.at('items'), own(value, 'items') ?? {}, known)
  const expect = Object.hasOwn(value, 'expect') ? readExpectation(place.at('expect'), value.expect, known) : undefined
  const identity = read && readReference(place.at('identity'), read.identity, known)
  if (!read || !expect || identity === undefined) return undefined
  const { name, input, seed } = read
  const now = read.now === null ? defaultNow : parseDate(read.now)
  if (now === null) return place.at('now').error('INVALID', 'must be a time in ISO 8601, such as 2026-03-01T10:00:00Z')
  return { name, identity, input, seed: seed ?? name, now, items, expect }
}

function readExpectation(place: Place, value: unknown, known: Known): Expectation | undefined {
  if (!isObject(value)) return place.error('WRONG_TYPE', 'must be an object')
  readProperties(place, value, expectProperties)
  for (const name of ['writes', 'emits'])
    if (Object.hasOwn(value, name) && !Array.isArray(value[name]))
      place.at(name).error('WRONG_TYPE', 'must be an array')
  const items = own(value, 'items') ?? {}
  if (!isObject(items)) place.at('items').error('WRONG_TYPE', 'must be an object of data by list and id')
  for (const [list, entries] of Object.entries(isObject(items) ? items : {})) {
    assertNamed(place.at('items').at(list), list, known)
    if (!isObject(entries)) place.at('items').at(list).error('WRONG_TYPE', 'must be an object of data by id')
  }
  return value
}
