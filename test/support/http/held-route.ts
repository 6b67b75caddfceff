import Joi from 'joi'
import { ok } from '#services/gateway/request/response.ts'
import { testRoute } from './test-route.ts'

/** Answers when the test allows it. */
export function heldRoute() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const started = { count: 0 }
  const route = testRoute({
    method: 'POST',
    path: '/held',
    permission: 'public',
    body: { maxBytes: 100_000, schema: Joi.object().unknown(), optional: true },
    async handle() {
      started.count++
      await promise
      return ok({ done: true })
    },
  })
  return { route, started, release: resolve }
}

/** Answers at once, under any load. */
export const quick = testRoute({
  method: 'GET',
  path: '/quick',
  permission: 'public',
  handle: async () => ok({}),
})
/** The lines of a request before its body. */
export const head = (line: string, ...headers: string[]) => [line, 'host: a', ...headers, '', ''].join('\r\n')

/** The parts of a raw answer. */
export function parse(answer: string): { status: number; headers: string; body: Record<string, unknown> } {
  const [headers = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(headers.split(' ')[1]), headers: headers.toLowerCase(), body: JSON.parse(body) }
}
