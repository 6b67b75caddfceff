import test from 'ava'
import { forward } from '#services/supervisor/remote/webhooks/forward.ts'
import { scriptedServer } from '../../../support/http/scripted-server.ts'
import { freePort } from '../../../support/processes/free-port.ts'
import { takenPort } from '../../../support/processes/taken-port.ts'

const { signal } = new AbortController()
const sent = { headers: { 'x-service-signature': 't=1,v1=a' }, payload: '{"n":9007199254740993}', signal }

test('a payload is posted unchanged, with its headers, and every response counts', async (t) => {
  const location = { location: 'http://127.0.0.1:1/elsewhere' }
  const { url, requests } = await scriptedServer(
    t,
    { status: 204 },
    { status: 500 },
    { status: 302, headers: location },
  )
  for (const status of [204, 500, 302]) {
    t.like(await forward(`${url}/hook`, sent), { status, error: null, isUnreached: false })
  }
  t.is(requests.length, 3)
  for (const request of requests) {
    t.like(request, { method: 'POST', path: '/hook', body: sent.payload })
    t.like(request.headers, { ...sent.headers, 'content-type': 'application/json' })
  }
})

test('a program that is not running is distinguished from one with another response', async (t) => {
  const nobody = `http://127.0.0.1:${await freePort()}`
  t.like(await forward(nobody, sent), { status: null, error: 'ECONNREFUSED', isUnreached: true })
  const stranger = `http://127.0.0.1:${await takenPort(t, 'hello\r\n')}`
  const { error, ...outcome } = await forward(stranger, sent)
  t.like(outcome, { status: null, isUnreached: false })
  t.truthy(error)
})

test('an interrupt does not wait for a response', async (t) => {
  const { url } = await scriptedServer(t, 'hang')
  const ending = new AbortController()
  const waits = forward(url, { ...sent, signal: ending.signal })
  ending.abort()
  await t.throwsAsync(waits, { name: 'AbortError' })
})
