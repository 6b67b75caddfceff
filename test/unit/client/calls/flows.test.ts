import test, { type ExecutionContext } from 'ava'
import { createClient } from '#client/src/client.ts'
import { ListdError } from '#client/src/error.ts'
import { RawNumber } from '#client/src/json.ts'
import { type ScriptedReply, scriptedServer } from '../../../support/http/scripted-server.ts'

async function scene(t: ExecutionContext, ...replies: ScriptedReply[]) {
  const { url, requests } = await scriptedServer(t, ...replies)
  return { flows: createClient({ url, token: 'secret' }).flows, requests }
}

const headers = { 'x-flow-run': 'r1', 'x-total': '7' }

test('a call gives what the flow responds with, and its run', async (t) => {
  const { flows, requests } = await scene(t, { status: 201, headers, body: '{"votes":2}' }, { status: 204, headers })
  const answer = await flows.call<{ votes: number }>('cards/vote', { card: 'c1', n: new RawNumber('9007199254740993') })
  t.like(answer, { status: 201, body: { votes: 2 }, runId: 'r1' })
  t.is(answer.headers.get('x-total'), '7')
  t.like(requests[0], { method: 'POST', path: '/flows/cards/vote', body: '{"card":"c1","n":9007199254740993}' })
  t.like(await flows.call('/vote', undefined, { method: 'DELETE' }), { status: 204, body: undefined })
  t.like(requests[1], { method: 'DELETE', path: '/flows/vote', body: '' })
  t.throws(() => flows.call('../lists'), { instanceOf: TypeError })
})

test('the input of a GET is its query, in which objects are JSON', async (t) => {
  const { flows, requests } = await scene(t, { headers }, { headers })
  const input = { text: 'a&b = c', signal: 1, on: true, none: null, of: { a: ['é'] }, absent: undefined }
  await flows.call('cards', input, { method: 'GET' })
  const { searchParams, pathname } = new URL(requests[0]?.path ?? '', 'http://listd.test')
  t.is(pathname, '/flows/cards')
  t.deepEqual(Object.fromEntries(searchParams), {
    text: 'a&b = c',
    signal: '1',
    on: 'true',
    none: 'null',
    of: '{"a":["é"]}',
  })
  await flows.call('cards', undefined, { method: 'GET' })
  t.regex(requests[1]?.path ?? '', /^\/flows\/cards\??$/)
})

test('a flow may respond with any status, and only a failure is an error', async (t) => {
  const failure = { name: 'FLOW_FAILED', code: 23008, message: 'You have voted.', details: { node: 'once' } }
  const { flows } = await scene(
    t,
    { status: 404, headers, body: '{"name":"Ada","is":"not here"}' },
    { status: 503, headers, body: '["later"]' },
    { status: 409, headers, body: JSON.stringify(failure) },
    { status: 404, body: '{"name":"REQUESTED_ENTITY_NOT_FOUND","code":10004,"message":"No."}' },
    { status: 502, body: '["a proxy"]' },
  )
  t.like(await flows.call('x'), { status: 404, body: { name: 'Ada' }, runId: 'r1' })
  t.like(await flows.call('x'), { status: 503, body: ['later'] })
  t.like(await t.throwsAsync(flows.call('x'), { instanceOf: ListdError }), { ...failure, status: 409, runId: 'r1' })
  t.like(await t.throwsAsync(flows.call('x')), { name: 'REQUESTED_ENTITY_NOT_FOUND', runId: undefined })
  t.like(await t.throwsAsync(flows.call('x')), { name: 'UNEXPECTED_ANSWER', status: 502 })
})

test('a retried call has the same key, and the response of a flow is never requested again', async (t) => {
  const busy = { status: 503, headers: { 'retry-after': '0' }, body: '{"name":"SERVICE_UNAVAILABLE","code":10002}' }
  for (const method of ['GET', 'POST'] as const) {
    const { flows, requests } = await scene(t, 'cut', busy, {
      status: 503,
      headers: { ...headers, 'retry-after': '0' },
    })
    t.like(await flows.call('x', {}, { method }), { status: 503, runId: 'r1' })
    const keys = requests.map((request) => request.headers['idempotency-key'])
    t.is(keys.length, 3)
    t.regex(String(keys[0]), /^[0-9a-f]{32}$/)
    t.deepEqual(new Set(keys).size, 1)
  }
  const { flows, requests } = await scene(t, { headers })
  await flows.call('x', {}, { idempotencyKey: 'order-7' })
  t.is(requests[0]?.headers['idempotency-key'], 'order-7')
})
