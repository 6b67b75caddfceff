import test, { type ExecutionContext } from 'ava'
import { createClient } from '#client/src/client.ts'
import { ListdError } from '#client/src/error.ts'
import { parse } from '#client/src/json.ts'
import { type ScriptedReply, scriptedServer } from '../../support/http/scripted-server.ts'

async function scene(t: ExecutionContext, replies: ScriptedReply[]) {
  const { url, requests } = await scriptedServer(t, ...replies)
  const notes = createClient({ url, token: 'secret' }).list('notes')
  return { notes, requests, asked: () => requests.map(({ headers }) => headers['if-match']) }
}

/** A server that answers with an item at each of these revisions in turn, and then always at the last one. */
const revisions = (t: ExecutionContext, ...etags: string[]) =>
  scene(
    t,
    etags.map((etag) => ({ body: JSON.stringify({ id: 'i-1', etag, data: {} }) })),
  )

test('an item is written only as it was read, unless the call says otherwise', async (t) => {
  const { notes, requests, asked } = await revisions(t, '"7"')
  const item = await notes.get('soup')
  await notes.update(item, { data: 1 })
  await notes.merge(item, { a: 1 }, { ifMatch: '*' })
  await notes.merge(item, { a: 1 }, { ifMatch: '"3"' })
  await notes.merge(item, { a: 1 }, { ifMatch: '' })
  await notes.delete(item.id)
  t.deepEqual(asked(), [undefined, '"7"', '*', '"3"', '', undefined])
  t.is(requests[1]?.path, '/lists/notes/items/i-1')
})

test('every copy of an item, and an object with only id and etag, is written only as it was read', async (t) => {
  const { notes, asked } = await revisions(t, '"7"')
  const item = Object.freeze(await notes.get('soup'))
  const lossless = parse(JSON.stringify(item)) as typeof item
  const copies = [{ ...item }, structuredClone(item), JSON.parse(JSON.stringify(item)), lossless]
  for (const copy of [...copies, { id: item.id, etag: item.etag }]) await notes.set(copy, '/a', 1)
  t.deepEqual(asked().slice(1), Array(5).fill('"7"'))
})

test('a write with the same object is based on the state after the previous write, and does not modify the object', async (t) => {
  const { notes, asked } = await revisions(t, '"1"', '"2"', '"3"', '"4"', '"5"')
  const item = Object.freeze(await notes.get('soup'))
  await notes.merge(item, { a: 1 })
  const patched = await notes.patch(item, [])
  await notes.remove(item, '/a')
  await notes.update(patched, {})
  t.deepEqual(asked(), [undefined, '"1"', '"2"', '"3"', '"3"'])
  t.is(item.etag, '"1"')
})

test('a write with a copy is not based on an earlier write: another caller may have read the same state', async (t) => {
  const { notes, asked } = await revisions(t, '"1"', '"2"', '"3"')
  const item = await notes.get('soup')
  const other = structuredClone(item)
  await notes.merge(item, { a: 1 })
  await notes.merge(other, { a: 2 })
  t.deepEqual(asked(), [undefined, '"1"', '"1"'])
})

test('a write over the changes of others, or a dry run, does not update the tag of the object', async (t) => {
  const { notes, asked } = await revisions(t, '"1"', '"9"')
  const item = await notes.get('soup')
  await notes.merge(item, { a: 1 }, { ifMatch: '*' })
  await notes.merge(item, { a: 2 })
  t.is(asked().at(-1), '"1"')
  const dry = await scene(t, [{ body: '{"id":"i-1"}' }])
  const read = { id: 'i-1', etag: '"1"' }
  await dry.notes.merge(read, { a: 1 }, { dryRun: true })
  await dry.notes.merge(read, { a: 1 })
  t.is(dry.asked().at(-1), '"1"')
})

test('an object that is assigned a later etag is written with that etag', async (t) => {
  const { notes, asked } = await revisions(t, '"1"', '"2"')
  const item = { ...(await notes.get('soup')) }
  await notes.merge(item, { a: 1 })
  Object.assign(item, { etag: '"5"' })
  await notes.merge(item, { a: 1 })
  t.is(asked().at(-1), '"5"')
})

test('an item without an etag is not written as an item that was read', async (t) => {
  const { notes, requests } = await revisions(t, '"1"')
  const error = { instanceOf: TypeError, message: /has no etag/ }
  for (const item of [{ id: 'i-1' }, { id: 'i-1', etag: '' }]) {
    t.throws(() => notes.update(item, { data: 1 }), error)
    t.throws(() => notes.delete(item), error)
  }
  await notes.get({ id: 'i-1' })
  await notes.delete({ id: 'i-1' }, { ifMatch: '*' })
  t.is(requests.length, 2)
})

test('the error of a call with an item is about the item, and that of a call with a tag about the tag', async (t) => {
  const body = { name: 'ITEM_PRECONDITION_FAILED', code: 12106, message: 'About if-match.', requestId: 'r-1' }
  const { notes } = await scene(t, [{ status: 412, body: JSON.stringify(body) }])
  const item = { id: 'i-1', etag: '"1"' }
  const expected = { instanceOf: ListdError, name: 'ITEM_PRECONDITION_FAILED' }
  const error = await t.throwsAsync(notes.update(item, {}), { ...expected, message: /was changed since it was read/ })
  t.like(error, { status: 412, code: 12106, requestId: 'r-1', body })
  t.true(error.stack?.includes('was changed since it was read'))
  await t.throwsAsync(notes.update(item, {}).text(), { ...expected, message: /was changed since it was read/ })
  await t.throwsAsync(notes.update(item, {}, { ifMatch: '"1"' }), { ...expected, message: 'About if-match.' })
  await t.throwsAsync(notes.update('i-1', {}, { ifMatch: '"1"' }), { ...expected, message: 'About if-match.' })
})

test('the types know that an item is more than the fields of a write', async (t) => {
  const { notes, requests } = await revisions(t, '"7"')
  const item = await notes.get('soup')
  // @ts-expect-error: the API would answer VALIDATION_FAILED
  await notes.update(item, { ...item, data: 1 })
  t.is(requests.length, 2)
})
