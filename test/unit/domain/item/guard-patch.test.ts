import test from 'ava'
import { preservePointers, removePointers } from '#shared/domain/item/guard.ts'
import { guardedOperationErrors, shiftsGuarded, withBlindReplaces } from '#shared/domain/item/guard-patch.ts'
import { JsonEdit } from '#shared/json/edit/edit.ts'
import { applyPatch, PatchFailed, type PatchOperation } from '#shared/json/edit/patch.ts'
import { naive, pointersOf, printNaive, withNaive } from '../../../support/load/naive-json.ts'
import { pick, randomJson, seeded } from '../../../support/load/random-json.ts'

const text = '{"secret":{"a":1},"card":{"pin":1,"name":"y"},"list":[{"no":1},{"no":2}],"open":[1],"x":0}'
const guards = ['/secret', '/card/pin', '/list/1/no']
const patched = (at = '') => ({ data: new JsonEdit(text), at, guards })
const value = '0'

const rejected: [claim: string, operation: PatchOperation, errors: string[]][] = [
  ['tests the guarded value', { op: 'test', path: '/secret', value }, ['0.path']],
  ['tests an ancestor', { op: 'test', path: '/card', value }, ['0.path']],
  ['tests the whole', { op: 'test', path: '', value }, ['0.path']],
  ['tests a descendant', { op: 'test', path: '/secret/a', value }, ['0.path']],
  ['copies it', { op: 'copy', from: '/secret', path: '/x' }, ['0.from']],
  ['copies an ancestor', { op: 'copy', from: '/card', path: '/x' }, ['0.from']],
  ['copies the whole', { op: 'copy', from: '', path: '/x' }, ['0.from']],
  ['copies a descendant', { op: 'copy', from: '/secret/a', path: '/x' }, ['0.from']],
  ['moves an ancestor', { op: 'move', from: '/card', path: '/x' }, ['0.from']],
  ['moves out of an array on its path', { op: 'move', from: '/list/0', path: '/x' }, ['0.from']],
  ['moves into an array on its path', { op: 'move', from: '/x', path: '/list/0' }, ['0.path']],
  ['inserts into an array on its path', { op: 'add', path: '/list/0', value }, ['0.path']],
  ['appends to an array on its path', { op: 'add', path: '/list/-', value }, ['0.path']],
  ['removes from an array on its path', { op: 'remove', path: '/list/0' }, ['0.path']],
  ['removes it, which would reveal that it exists', { op: 'remove', path: '/secret' }, ['0.path']],
  ['adds inside it, which would reveal that it is an object', { op: 'add', path: '/secret/b', value }, ['0.path']],
  ['replaces inside it', { op: 'replace', path: '/secret/a', value }, ['0.path']],
  ['copies one into another', { op: 'copy', from: '/card/pin', path: '/secret/x' }, ['0.from', '0.path']],
]
for (const [claim, operation, errors] of rejected) {
  test(`an operation that ${claim} is rejected`, (t) => {
    const found = guardedOperationErrors([operation], patched())
    t.deepEqual(
      found.map(({ path }) => path),
      errors,
    )
    t.deepEqual(guardedOperationErrors([operation], { ...patched(), guards: [] }), [])
  })
}

const accepted: [claim: string, operation: PatchOperation][] = [
  ['sets the guarded value', { op: 'add', path: '/secret', value }],
  ['replaces it', { op: 'replace', path: '/card/pin', value }],
  ['replaces an ancestor', { op: 'replace', path: '/card', value }],
  ['removes an ancestor', { op: 'remove', path: '/card' }],
  ['replaces the whole', { op: 'replace', path: '', value }],
  ['replaces an element of an array on its path', { op: 'replace', path: '/list/0', value }],
  ['copies a visible value onto it', { op: 'copy', from: '/x', path: '/secret' }],
  ['changes another array', { op: 'remove', path: '/open/0' }],
  ['tests a neighbor', { op: 'test', path: '/card/name', value }],
  ['names a key that begins as the guard', { op: 'test', path: '/secrets', value }],
]
for (const [claim, operation] of accepted) {
  test(`an operation that ${claim} is accepted`, (t) => t.deepEqual(guardedOperationErrors([operation], patched()), []))
}

test('pointers of operations begin at the patched value', (t) => {
  const operations: PatchOperation[] = [
    { op: 'test', path: '/name', value },
    { op: 'test', path: '/pin', value },
    { op: 'test', path: '', value },
  ]
  t.deepEqual(
    guardedOperationErrors(operations, patched('/card')).map(({ path }) => path),
    ['1.path', '2.path'],
  )
})

test('a guarded value is replaced whether it exists or not, an element only if it exists', (t) => {
  const replace = (path: string): PatchOperation => ({ op: 'replace', path, value })
  const operations = ['/pin', '/name'].map(replace)
  t.deepEqual(
    withBlindReplaces(operations, patched('/card')).map(({ op }) => op),
    ['add', 'replace'],
  )
  const elements = { ...patched(), guards: ['/list/0'] }
  t.deepEqual(withBlindReplaces([replace('/list/0')], elements), [replace('/list/0')])
})

test('only arrays on the path of a guard are shifted', (t) => {
  const data = new JsonEdit(text)
  t.true(shiftsGuarded(data, '/list/0', guards))
  t.false(shiftsGuarded(data, '/open/0', guards))
  t.false(shiftsGuarded(data, '/card/name', guards))
  t.false(shiftsGuarded(data, '', guards))
})

test('the result of a patch that a token sees does not depend on the guarded value', (t) => {
  const random = seeded(1_789)
  for (let round = 0; round < 3_000; round++) {
    const first = randomJson(random).compact
    const tree = naive(first)
    const pointers = pointersOf(tree)
    const hidden = pick(random, pointers as [string, ...string[]])
    const other = random() < 0.3 ? undefined : naive(randomJson(random, 2).compact)
    const second = printNaive(withNaive(tree, hidden, other) ?? tree)
    if (hidden === '' || removePointers(first, [hidden]) !== removePointers(second, [hidden])) continue
    const operations = randomOperations(random, pointers)
    t.is(seenAfter(second, operations, hidden), seenAfter(first, operations, hidden), `${first} ${hidden}`)
  }
})

/** Operations at random pointers, most of which exist. */
function randomOperations(random: () => number, pointers: string[]): PatchOperation[] {
  const place = () =>
    `${pick(random, pointers as [string, ...string[]])}${pick(random, ['', '', '', '', '/0', '/-', '/a'])}`
  return Array.from({ length: 1 + Math.floor(random() * 2) }, (): PatchOperation => {
    const op = pick(random, ['add', 'add', 'replace', 'replace', 'test', 'copy', 'move', 'remove'] as const)
    const path = place()
    if (op === 'remove') return { op, path }
    return op === 'copy' || op === 'move' ? { op, from: place(), path } : { op, path, value: '7' }
  })
}

/** The visible part of the result, or the reason why the patch fails. */
function seenAfter(text: string, operations: readonly PatchOperation[], guard: string): string {
  const visible = removePointers(text, [guard])
  const context = { data: new JsonEdit(visible), at: '', guards: [guard] }
  if (guardedOperationErrors(operations, context).length > 0) return 'rejected'
  try {
    const patched = applyPatch(visible, withBlindReplaces(operations, context), { maxLength: 100_000 })
    return removePointers(preservePointers(text, patched, [guard]), [guard])
  } catch (error) {
    if (error instanceof PatchFailed) return `${error.operation}: ${error.message}`
    throw error
  }
}
