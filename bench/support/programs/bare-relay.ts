import { server as createServer } from '@hapi/hapi'
import { type BareSenderOptions, createBareSender } from './bare-delivery.ts'
import { runProgram } from './run-program.ts'

export type BareRelay = { origin: string }

/**
 * The yardstick of latency: a hapi route that answers a POST and forwards its body to the webhook named in the path, from
 * the same process, and stores nothing.
 */
runProgram<BareSenderOptions, BareRelay>(async (options) => {
  const send = createBareSender(options)
  let received = 0
  const server = createServer({ host: '127.0.0.1', port: 0 })
  server.route({
    method: 'POST',
    path: '/{webhook}',
    handler({ params, payload }) {
      const event = { id: `bare-${received++}`, body: JSON.stringify(payload) }
      setImmediate(() => void send(Number(params.webhook), event))
      return { received: typeof payload }
    },
  })
  await server.start()
  return { ready: { origin: server.info.uri }, answer: () => null }
})
