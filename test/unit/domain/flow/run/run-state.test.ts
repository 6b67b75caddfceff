import test from 'ava'
import { atLeast, atMost } from '../../../../support/assertions/bounds.ts'
import type { DocumentParts } from '../../../../support/flows/documents.ts'
import { inARow } from '../../../../support/flows/documents.ts'
import { cards, outcomeText, run, testId, testItem } from '../../../../support/flows/driving.ts'

type Nodes = readonly ({ id: string } & Record<string, unknown>)[]

const inRow = (...nodes: Nodes): DocumentParts => ({ nodes, edges: inARow(nodes) })
const body = (text: string) => ({ id: 'end', type: 'respond', body: text })

test('each limit ends the run with its name', (t) => {
  const getEach = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      id: `n${from + n}`,
      type: 'get-item',
      list: 'cards',
      item: `"c${from + n}"`,
    }))
  t.is(outcomeText(run(inRow(...getEach(0, 100)))), '204 null')
  t.is(outcomeText(run(inRow(...getEach(0, 101)))), '422 LIMIT n100: a run reads at most 100 items')
  const items = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`c${n}`, testItem(`c${n}`, '1')]))
  const page = { id: 'p', type: 'list-items', list: 'cards', limit: 100 }
  t.is(outcomeText(run(inRow(page), { items })), '204 null')
  const behind = run(inRow(...getEach(200, 1), page), { items })
  t.is(outcomeText(behind), '422 LIMIT p: a run reads at most 100 items')
  t.like(behind.asked.at(-1), { ask: 'items', limit: 100 })
  const create = (count: number) =>
    inRow({ id: 'a', type: 'create-item', list: 'cards', data: 'item', each: `range(${count})` })
  t.is(run(create(100)).writes.length, 100)
  t.is(outcomeText(run(create(101))), '422 LIMIT a [100]: a run writes at most 100 items')
  const emit = (count: number) =>
    inRow({ id: 'a', type: 'emit', webhooks: [testId(1)], payload: '1', each: `range(${count})` })
  t.is(run(emit(20)).emits.length, 20)
  t.is(outcomeText(run(emit(21))), '422 LIMIT a [20]: a run emits at most 20 events')
})

test('values have at most 1 MiB, whatever their source', (t) => {
  const long = JSON.stringify('x'.repeat(600_000))
  t.is(
    outcomeText(run(inRow(body('1')), { input: `[${long},${long}]` })),
    '422 LIMIT end: the value is longer than 1 MiB',
  )
  t.regex(
    outcomeText(run(inRow(body('[input, input]')), { input: long })),
    /^422 LIMIT end nodes\.0\.body:1:1: the value is longer/,
  )
  const items = { c1: testItem('c1', long), c2: testItem('c2', long) }
  t.is(
    outcomeText(run(inRow({ id: 'a', type: 'list-items', list: 'cards' }), { items })),
    '422 LIMIT a: the value is longer than 1 MiB',
  )
  const parts = inRow(
    { id: 'a', type: 'compute', value: 'input' },
    { id: 'b', type: 'compute', value: 'input' },
    body('steps'),
  )
  t.is(outcomeText(run(parts, { input: long })), '422 LIMIT end: the value is longer than 1 MiB')
  const merged = run(inRow({ id: 'a', type: 'update-item', list: 'cards', item: '"c1"', merge: '{b: input}' }), {
    input: long,
    items: { c1: testItem('c1', `{"a":${long}}`) },
  })
  t.is(outcomeText(merged), '422 LIMIT a: the data of the item is longer than 1 MiB')
  const page = { id: 'p', type: 'list-items', list: 'cards', where: { a: 'input', b: 'input' } }
  t.is(outcomeText(run(inRow(page), { input: long })), '422 LIMIT p: where is longer than 1 MiB')
})

test('a run writes and emits at most 8 MiB, and each change of an item counts', (t) => {
  const half = JSON.stringify('x'.repeat(512 * 1024 - 20))
  const items = { c1: testItem('c1', '{}') }
  const merges = (count: number) =>
    inRow({
      id: 'a',
      type: 'update-item',
      list: 'cards',
      item: '"c1"',
      merge: '{b: input}',
      each: `range(${count})`,
      guarded: true,
    })
  const tooMuch = 'a run writes and emits at most 8 MiB'
  const failed = (parts: DocumentParts) => outcomeText(run(parts, { input: half, items }))
  t.is(failed(merges(17)), `422 LIMIT a [16]: ${tooMuch}`)
  const emit = { id: 'e', type: 'emit', webhooks: [testId(1)], payload: 'input' }
  t.is(failed(inRow({ ...emit, each: 'range(16)' })), '204 null')
  t.is(failed(inRow({ ...emit, each: 'range(17)' })), `422 LIMIT e [16]: ${tooMuch}`)
  t.is(
    failed(inRow({ id: 'c', type: 'create-item', list: 'cards', data: 'input', each: 'range(17)' })),
    `422 LIMIT c [16]: ${tooMuch}`,
  )
})

test('a run reads and creates at most 32 MiB of JSON', (t) => {
  const items = { c1: testItem('c1', JSON.stringify('x'.repeat(1_000_000))) }
  const patch = { id: 'a', type: 'update-item', list: 'cards', item: '"c1"', patch: '[]', each: 'range(99)' }
  const parts = inRow({
    ...patch,
    list: 'cards',
    patch: '[{op: "replace", path: "", value: 1}, {op: "test", path: "", value: 1}]',
  })
  t.is(outcomeText(run(parts, { items })), '204 null')
  const tests = { ...patch, patch: '[{op: "replace", path: "", value: input}, {op: "replace", path: "", value: 1}]' }
  const failed = outcomeText(run(inRow(tests), { input: JSON.stringify('x'.repeat(1_000_000)), items }))
  t.regex(failed, /^422 LIMIT a \[\d+\]: a run reads and creates at most 32 MiB of JSON$/)
})

test('the length of guarded values has no effect on a node that does not see them', (t) => {
  const lists = new Map([['cards', { ...cards, guards: ['/secret'] }]])
  const long = 'x'.repeat(600_000)
  const update = { id: 'a', type: 'update-item', list: 'cards', item: '"c1"', merge: '{open: input}' }
  const updated = (length: number, guarded: boolean) => {
    const items = { c1: testItem('c1', JSON.stringify({ secret: 'x'.repeat(length) })) }
    return run(inRow({ ...update, guarded }), { input: JSON.stringify(long), items, lists })
  }
  for (const length of [1, 400_000, 900_000]) {
    const { outcome, writes } = updated(length, false)
    t.is(outcome.status, 204, `${length}`)
    t.is(writes[0]?.sentBytes, JSON.stringify({ open: long }).length)
    t.is(writes[0]?.after?.size, JSON.stringify({ secret: 'x'.repeat(length), open: long }).length)
  }
  t.is(outcomeText(updated(900_000, true)), '422 LIMIT a: the data of the item is longer than 1 MiB')
  const each = { ...update, merge: '{open: item}', each: 'range(40)' }
  const items = { c1: testItem('c1', JSON.stringify({ secret: 'x'.repeat(900_000) })) }
  t.is(outcomeText(run(inRow(each), { items, lists })), '204 null')
})

test('the same run with the same seed is the same, step by step', (t) => {
  const parts = inRow(
    { id: 'a', type: 'create-item', list: 'cards', data: '[uuid(), random(), shuffle([1, 2, 3]), now]' },
    body('steps.a.data'),
  )
  t.deepEqual(run(parts), run(parts))
  t.not(outcomeText(run(parts, { seed: 'other' })), outcomeText(run(parts)))
})

test('other runs get their turn after a number of steps, and the driver may end the run there', (t) => {
  const nodes = Array.from({ length: 5 }, (_, n) => ({ id: `n${n}`, type: 'compute', value: 'count(range(2000))' }))
  t.deepEqual(run(inRow(...nodes)).asked, [
    { ask: 'pause', work: 8_013 },
    { ask: 'pause', work: 16_025 },
  ])
  const answer = () => ({ rejected: { code: 'TIMEOUT', message: 'It took too long.', status: 422 } })
  t.is(outcomeText(run(inRow(...nodes), { answer })), '422 TIMEOUT n2: It took too long.')
})

const computes = (count: number, value: string) =>
  Array.from({ length: count }, (_, n) => ({ id: `n${n}`, type: 'compute', value }))

test('other runs get their turn after work with values, which takes no steps and is done once', (t) => {
  const input = `[${Array(200_000).fill('{}').join()}]`
  const read = run(inRow(...computes(3, 'input')), { input })
  t.deepEqual([read.fuel, read.asked], [3, [{ ask: 'pause', work: 9_376 }]])
  atLeast(t, read.work, 9_000, 'steps')
  t.deepEqual(run(inRow(...computes(3, '[input, 1]')), { input }).asked, [{ ask: 'pause', work: 9_376 }])
  const text = run(inRow(...computes(3, '[input]')), { input: JSON.stringify('x'.repeat(900_000)) })
  t.is(text.asked.length, 3, 'a text is read each time')
})

test('an item that many nodes read is parsed once', (t) => {
  const items = { c1: testItem('c1', JSON.stringify('x'.repeat(100_000))) }
  const workOf = (count: number) => {
    const nodes = Array.from({ length: count }, (_, n) => ({
      id: `n${n}`,
      type: 'get-item',
      list: 'cards',
      item: '"c1"',
    }))
    return run(inRow(...nodes), { items }).work
  }
  atMost(t, workOf(100), workOf(1) + 1_000, 'steps')
})

test('the alias of an item that a run has changed is read once, and other runs get their turn', (t) => {
  const data = JSON.stringify({ name: 'x', long: 'x'.repeat(400_000) })
  const changed = ['c0', 'c1', 'c2', 'c3', 'c4']
  const items = Object.fromEntries(changed.map((id) => [id, testItem(id, data)]))
  const nodes = [
    ...changed.map((id) => ({ id, type: 'update-item', list: 'cards', item: `"${id}"`, merge: '{n: 1}' })),
    ...['one', 'two'].map((id) => ({ id, type: 'get-item', list: 'cards', item: `"${id}"` })),
  ]
  const asked = run(inRow(...nodes), { items }).asked.map((ask) => ('ref' in ask ? ask.ref : ask.ask))
  const steps = ['pause', 'pause', 'pause']
  const last = asked.slice(asked.indexOf('c4') + 1)
  t.deepEqual(last, [...steps, 'pause', 'pause', 'one', 'two'], 'those of the last change, and that of its alias')
  t.is(asked.filter((ask) => ask === 'pause').length, 25, 'four of each change, and each alias')
})

test('a value over 4 KiB is not stored for a step: the limit counts bytes', (t) => {
  const stepsOf = (input: string) => run(inRow(...computes(1, 'input')), { input: JSON.stringify(input) }).steps
  const [kept, long] = ['語'.repeat(1_364), '語'.repeat(1_365)]
  t.deepEqual(stepsOf(kept), [
    { node: 'n0', type: 'compute', inputs: { value: kept }, result: kept, port: null, fuel: 1 },
  ])
  t.like(stepsOf(long), [{ inputs: { value: null }, result: null, cut: true }])
})

test('the most expensive document costs what its limits allow', (t) => {
  const nodes = [
    { id: 'p', type: 'list-items', list: 'cards', limit: 100 },
    ...Array.from({ length: 198 }, (_, n) => ({
      id: `n${n}`,
      type: 'update-item',
      list: 'cards',
      item: 'item.id',
      each: 'steps.p',
      merge: '{a: [index, ...range(50)]}',
    })),
    body('steps'),
  ]
  const items = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`c${n}`, testItem(`c${n}`, '{}')]))
  const result = run(inRow(...nodes), { items })
  t.is(outcomeText(result), '422 LIMIT n1 [0]: a run writes at most 100 items')
  t.true(result.fuel < 100_000 && result.asked.length < 50 && result.steps.length === 3)
  const idle = Array.from({ length: 200 }, (_, n) => ({
    id: `n${n}`,
    type: 'compute',
    value: 'map(range(1000), a => map(range(1000), b => [a, b]))',
  }))
  t.is(run(inRow(...idle)).fuel, 100_000)
})
