import { setTimeout as pause } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { type ClientOptions, createClient } from '#client/src/client.ts'
import { ListdError } from '#client/src/error.ts'
import { stringify } from '#client/src/json.ts'
import { type ScriptedReply, scriptedServer } from '../../support/http/scripted-server.ts'

async function scene(t: ExecutionContext, replies: ScriptedReply[], options: Partial<ClientOptions> = {}) {
  const { url, requests } = await scriptedServer(t, ...replies)
  const client = createClient({ url, token: 'secret', ...options })
  return { client, notes: client.list('notes'), requests }
}

const again = { 'retry-after': '0' }
const error = (status: number, name: string): ScriptedReply => ({
  status,
  headers: again,
  body: JSON.stringify({ name, code: 1, message: 'Later.', requestId: 'r-1' }),
})

test('an error of the API is a ListdError with the whole response', async (t) => {
  const body = { name: 'VALIDATION_FAILED', code: 10001, message: 'No.', details: { errors: [] }, requestId: 'r-1' }
  const { client } = await scene(t, [{ status: 400, body: JSON.stringify(body) }])
  const failure = await t.throwsAsync(client.lists.get('x'), { instanceOf: ListdError })
  t.like(failure, { ...body, status: 400, retryAfterSeconds: undefined, body })
})

test('the message of an error names its first field error, and how many others there are', async (t) => {
  const messageOf = async (...errors: { path: string; message: string }[]) => {
    const body = JSON.stringify({ name: 'VALIDATION_FAILED', code: 10001, message: 'No.', details: { errors } })
    return (await t.throwsAsync((await scene(t, [{ status: 400, body }])).client.lists.get('x')))?.message
  }
  const title = { path: 'data.title', message: 'must be a string' }
  t.is(await messageOf(title), 'No. data.title: must be a string')
  t.is(
    await messageOf({ path: 'name', message: '"name" is required' }, title, title),
    'No. "name" is required, and 2 more',
  )
  t.is(await messageOf({ path: '', message: 'must be an object' }), 'No. must be an object')
})

test('a response that is not from listd is distinguished', async (t) => {
  const page = '<html>Bad gateway</html>'
  const { client } = await scene(t, [{ status: 502, body: page }, { body: page }])
  const expected = { name: 'UNEXPECTED_ANSWER', code: 0, body: page }
  t.like(await t.throwsAsync(client.lists.get('x')), { ...expected, status: 502 })
  t.like(await t.throwsAsync(client.lists.get('x')), expected)
})

const transient: ScriptedReply[] = [
  error(429, 'RATE_LIMIT_EXCEEDED'),
  error(503, 'SERVICE_UNAVAILABLE'),
  error(409, 'INDEX_BUILDING'),
  'cut' as const,
]

for (const reply of transient) {
  const name = typeof reply === 'string' ? 'a broken connection' : `${reply.status}`
  test(`after ${name} a read is retried, and a write with an idempotency key is retried under the same key`, async (t) => {
    const read = await scene(t, [reply, {}])
    await read.notes.get('soup')
    t.is(read.requests.length, 2)
    const write = await scene(t, [reply, { status: 201 }])
    await write.notes.create({ data: 1 })
    const [first, second] = write.requests
    t.regex(String(first?.headers['idempotency-key']), /^[0-9a-f]{32}$/)
    t.deepEqual([second?.headers['idempotency-key'], second?.body], [first?.headers['idempotency-key'], '{"data":1}'])
  })

  test(`after ${name} a write that may have been executed is not retried`, async (t) => {
    const { notes, client, requests } = await scene(t, [reply])
    await t.throwsAsync(notes.update('soup', { data: 1 }), { instanceOf: ListdError })
    await t.throwsAsync(notes.delete('soup'), { instanceOf: ListdError })
    await t.throwsAsync(client.identities.register({ name: 'ada', password: 'secret' }), { instanceOf: ListdError })
    t.is(requests.length, 3)
  })
}

test('a call is retried at most three times, or as often as the client is configured to', async (t) => {
  const { client, notes, requests } = await scene(t, [error(503, 'SERVICE_UNAVAILABLE')])
  t.like(await t.throwsAsync(notes.get('soup')), { name: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 0 })
  t.is(requests.length, 4)
  await t.throwsAsync(client.with({ retries: 0 }).list('notes').get('soup'))
  t.is(requests.length, 5)
})

test('other errors are not retried', async (t) => {
  const { notes, requests } = await scene(t, [error(500, 'INTERNAL_ERROR')])
  t.like(await t.throwsAsync(notes.create({})), { name: 'INTERNAL_ERROR' })
  t.is(requests.length, 1)
})

test('no wait begins that would exceed the time-out', async (t) => {
  const reply = { status: 429, headers: { 'retry-after': '3600' }, body: '{"name":"RATE_LIMIT_EXCEEDED"}' }
  const { notes } = await scene(t, [reply])
  t.like(await t.throwsAsync(notes.get('soup')), { name: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 3600 })
})

test('a call without an answer ends with the time-out, or by its signal with that reason', async (t) => {
  const { notes, requests } = await scene(t, ['hang'], { timeoutMs: 200 })
  t.like(await t.throwsAsync(notes.get('soup')), { name: 'TIMED_OUT', status: 0 })
  const reason = new Error('enough')
  const waiting = notes.get('soup', { signal: AbortSignal.abort(reason) })
  t.is(await t.throwsAsync(waiting), reason)
  t.true(requests.length <= 1)
  const ending = new AbortController()
  const begun = notes.get('soup', { signal: ending.signal, timeoutMs: 60_000 })
  setTimeout(() => ending.abort(reason), 50)
  t.is(await t.throwsAsync(begun), reason)
})

test('a time-out may be longer than the longest timer', async (t) => {
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    await pause(50, undefined, { signal: init?.signal ?? undefined })
    return Response.json({ id: 'x' })
  }
  for (const timeoutMs of [2 ** 31, Number.POSITIVE_INFINITY]) {
    const client = createClient({ url: 'http://listd.test', timeoutMs, fetch })
    t.is((await client.lists.get('x')).id, 'x')
  }
})

test('a signal ends the wait before the next attempt', async (t) => {
  const { notes } = await scene(t, [
    { status: 503, headers: { 'retry-after': '50' }, body: '{"name":"SERVICE_UNAVAILABLE"}' },
  ])
  const ending = new AbortController()
  const waiting = notes.get('soup', { signal: ending.signal })
  setTimeout(() => ending.abort(), 100)
  t.is((await t.throwsAsync(waiting))?.name, 'AbortError')
})

test('an unreachable server is CONNECTION_FAILED', async (t) => {
  const client = createClient({ url: 'http://127.0.0.1:1', retries: 0 })
  t.like(await t.throwsAsync(client.lists.get('x')), { name: 'CONNECTION_FAILED', status: 0 })
})

test('a redirect to another origin is not followed with the credentials', async (t) => {
  const { url, requests } = await scriptedServer(t)
  const { notes } = await scene(t, [{ status: 302, headers: { location: url } }], { retries: 0 })
  t.like(await t.throwsAsync(notes.get('soup')), { name: 'CONNECTION_FAILED' })
  t.is(requests.length, 0)
})

test('pages cannot be awaited, and anything that is not a cursor or value is not sent', async (t) => {
  const { client, notes, requests } = await scene(t, [{}])
  // @ts-expect-error: the call requests neither all rows nor a page
  const awaited = async () => await notes.items()
  await t.throwsAsync(awaited, { instanceOf: TypeError, message: /for await/ })
  // @ts-expect-error: null is the cursor after the last page
  t.throws(() => notes.items().after(null), { instanceOf: TypeError, message: /no more pages/ })
  // @ts-expect-error: all rows are read by "for await"
  await t.throwsAsync(notes.items().toArray(), { instanceOf: TypeError, message: /such as toArray\(20\)/ })
  t.throws(() => notes.get(undefined as never), { instanceOf: TypeError, message: /^"undefined" is neither an id/ })
  t.throws(() => client.sync.export({ lists: [] }), { instanceOf: TypeError, message: /lists is empty/ })
  t.throws(() => client.send('GET /lists', { options: { where: { name: 'x' } } }), { message: /is not a text/ })
  t.is(requests.length, 0)
})

test('the first rows are read, as many as requested', async (t) => {
  const replies = [
    { body: '{"limit":3,"next":"c","data":[1,2]}' },
    { body: '{"limit":3,"next":"d","data":[3,4]}' },
    { body: '{"limit":1,"next":"e","data":[]}' },
    { body: '{"limit":1,"next":null,"data":[]}' },
  ]
  const { notes, requests } = await scene(t, replies)
  t.deepEqual(await notes.values<number>('/n').toArray(3), [1, 2, 3])
  t.is(await notes.values('/n').first(), null)
  t.deepEqual(
    requests.map(({ path }) => path.split('?')[1]),
    ['limit=3&after=', 'limit=3&after=c', 'limit=1&after=', 'limit=1&after=e'],
  )
})

test('ids, aliases and pointers are each one segment of the path', async (t) => {
  const { notes, requests } = await scene(t, [{}])
  await notes.get('a/b?c#d%')
  await notes.value('x', '/a/../b')
  await notes.value('x', 'a/b')
  await notes.value('x', ['a/b', 0, '~', '..'])
  await notes.value('x', '')
  t.deepEqual(
    requests.map(({ path }) => path.replace('/lists/notes/items/', '')),
    ['a%2Fb%3Fc%23d%25', 'x/data/%2Fa%2F..%2Fb', 'x/data/%2Fa%2Fb', 'x/data/%2Fa~1b%2F0%2F~0%2F..', 'x/data'],
  )
})

test('a name that would lead to another path is not sent', async (t) => {
  const { client, notes, requests } = await scene(t, [{}])
  for (const name of ['', '.', '..']) {
    t.throws(() => notes.delete(name), { instanceOf: TypeError })
    t.throws(() => client.lists.get(name), { instanceOf: TypeError })
    t.throws(() => client.list(name).items().page(1), { instanceOf: TypeError })
  }
  t.is(requests.length, 0)
})

test('the text of a response is unchanged', async (t) => {
  const body = '{ "data" : 9007199254740993 }'
  const { notes } = await scene(t, [{ body }])
  t.is(await notes.get('x').text(), body)
})

/** Data with numbers that a double cannot represent, and some that it can. */
const data = '{"id":90072192547411331,"price":0.1000000000000000055,"far":[1e400,-1E-400],"plain":[1.5,-3,1e+21]}'
const item = `{"id":"i-1","data":${data}}`

test('a read and a write do not change untouched numbers', async (t) => {
  const { notes, requests } = await scene(t, [{ body: item }])
  const read = await notes.get('i-1')
  await notes.update('i-1', { data: { ...read.data, title: 'Soup' } })
  await notes.set('i-1', '/copy', read.data.far)
  await notes.batch([{ op: 'create', data: Object.assign({}, read.data) }])
  await notes.items({ where: { code: read.data.id } }).page(1)
  const [, updated, set, batch, filtered] = requests
  t.is(updated?.body, `{"data":${data.slice(0, -1)},"title":"Soup"}}`)
  t.is(set?.body, '[1e400,-1E-400]')
  t.is(batch?.body, `{"operations":[{"op":"create","data":${data}}]}`)
  t.true(filtered?.path.includes('index.code=eq%3A90072192547411331'), filtered?.path)
})

test('pages, batches, flows, syncs and errors do not change numbers', async (t) => {
  const page = { body: `{"limit":100,"next":null,"data":[${item}]}` }
  const ids = async (reply: ScriptedReply, call: (one: Awaited<ReturnType<typeof scene>>) => unknown) =>
    stringify(await call(await scene(t, [reply])))?.match(/\d{16,}/g)
  const run = { 'x-flow-run': 'r-1' }
  const failure = { status: 422, body: `{"name":"FLOW_FAILED","code":1,"message":"No.","details":{"value":${data}}}` }
  const id = ['90072192547411331', '1000000000000000055']
  t.deepEqual(await ids(page, ({ notes }) => notes.items().toArray(5)), id)
  t.deepEqual(await ids({ body: `{"results":[{"status":201,"item":${item}}]}` }, ({ notes }) => notes.batch([])), id)
  t.deepEqual(await ids({ body: data, headers: run }, ({ client }) => client.flows.call('f')), id)
  t.deepEqual(await ids({ body: data }, ({ client }) => client.sync.export()), id)
  const thrown = ({ client }: Awaited<ReturnType<typeof scene>>) => client.flows.call('f').catch((error) => error)
  t.deepEqual(await ids({ ...failure, headers: run }, async (one) => (await thrown(one)).details), id)
})

test('a client that is configured for doubles returns them', async (t) => {
  const { notes } = await scene(t, [{ body: item }], { lossless: false })
  t.is((await notes.get('i-1')).data.id, 90072192547411330)
})

test('a call for only the text fails once', async (t) => {
  const { notes } = await scene(t, [error(404, 'REQUESTED_ENTITY_NOT_FOUND')])
  await t.throwsAsync(notes.get('x').text(), { name: 'REQUESTED_ENTITY_NOT_FOUND' })
})

test('a search result says whether entries were left out, and is otherwise an ordinary array', async (t) => {
  const body = '[{"relevance":1.5,"id":"x"}]'
  const { notes } = await scene(t, [
    { status: 200, headers: { 'x-search-truncated': 'true' }, body },
    { status: 200, body },
  ])
  const cut = await notes.search('soup', { prefix: true })
  t.deepEqual([[...cut], cut.isTruncated], [[{ relevance: 1.5, id: 'x' }], true])
  t.is(JSON.stringify(cut), body)
  t.false((await notes.search('soup')).isTruncated)
})
