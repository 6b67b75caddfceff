import { once } from 'node:events'
import { connect } from 'node:net'
import test from 'ava'
import Joi from 'joi'
import { ok } from '#services/gateway/request/response.ts'
import type { Route } from '#services/gateway/request/route.ts'
import { largeBodyBytes, longStepBytes } from '#shared/domain/limits.ts'
import { until } from '../../../support/assertions/until.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway } from '../../../support/http/gateway.ts'
import { testRoute } from '../../../support/http/test-route.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()

/**
 * A gateway with a route on which large bodies take turns, one on which all requests do, and one without turns, on which one
 * large body is parsed at a time. The test ends the requests.
 */
async function taking() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const plain = testRoute({
    method: 'POST',
    path: '/plain',
    permission: 'public',
    body: {
      maxBytes: 1_000_000,
      schema: Joi.object({ name: Joi.string().required(), text: Joi.string() }),
    },
    async handle({ body }) {
      const { name } = body as { name: string }
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.set(name, resolve)
      begun.push(name)
      await promise
      return ok({ name })
    },
  })
  const large: Route = { ...plain, path: '/large', alone: 'large' }
  const all = testRoute({
    method: 'GET',
    path: '/all',
    permission: 'public',
    alone: 'always',
    handle: async () => ok({}),
  })
  const { port } = await startGateway(cleanup, { routes: [plain, large, all], limits: { parsedBytes: 1 } })
  const post = (body: string, path = '/large') => call(port, { method: 'POST', path, body, headers: json })
  const named = (name: string) => JSON.stringify({ name, text: 'x'.repeat(largeBodyBytes) })
  /** Sends a request that has the turn until the test ends it. @returns its answer */
  const hold = async (path = '/large') => {
    const answer = post(named('first'), path)
    await until(() => begun.length === 1 || begun)
    return { answer }
  }
  return { port, begun, end: (name: string) => ends.get(name)?.(), post, named, hold }
}

const json = { 'content-type': 'application/json' }

test('a large body is parsed only when its turn comes, and a small one at once', async (t) => {
  const { end, post, hold } = await taking()
  const { answer } = await hold()
  let isAnswered = false
  const malformed = post('{'.padEnd(largeBodyBytes + 1)).finally(() => {
    isAnswered = true
  })
  t.is((await post('{'.padEnd(largeBodyBytes))).status, 400)
  t.false(isAnswered)
  end('first')
  t.is((await malformed).status, 400)
  t.is((await answer).status, 200)
})

test('on a route without turns, bodies larger than 64 KiB are parsed while few bytes are, and smaller ones at once', async (t) => {
  const { end, post, hold } = await taking()
  const { answer } = await hold('/plain')
  let isAnswered = false
  const malformed = post('{'.padEnd(longStepBytes + 1), '/plain').finally(() => {
    isAnswered = true
  })
  t.is((await post('{'.padEnd(longStepBytes), '/plain')).status, 400)
  t.false(isAnswered)
  end('first')
  t.is((await malformed).status, 400)
  t.is((await answer).status, 200)
})

test('on a route where all requests take turns, one without a body does too', async (t) => {
  const { port, end, post, hold } = await taking()
  const { answer } = await hold()
  let isAnswered = false
  const waiting = call(port, { path: '/all' }).finally(() => {
    isAnswered = true
  })
  t.is((await post('{')).status, 400)
  t.false(isAnswered)
  end('first')
  t.is((await waiting).status, 200)
  t.is((await answer).status, 200)
})

test('a waiting request whose client has left is not handled', async (t) => {
  const { port, begun, end, post, named, hold } = await taking()
  const { answer } = await hold()
  const body = named('left')
  const gone = connect(port, '127.0.0.1')
  gone.write(
    `POST /large HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  const next = post(named('next'))
  gone.destroy()
  await once(gone, 'close')
  t.is((await post('{')).status, 400) // now the gateway has also seen the close
  end('first')
  await until(() => begun.includes('next') || begun)
  end('next')
  t.is((await next).status, 200)
  await answer
  t.deepEqual(begun, ['first', 'next'])
})
