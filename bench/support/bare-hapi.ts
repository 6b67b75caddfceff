import { server as createServer } from '@hapi/hapi'
import { runProgram } from './run-program.ts'

export type BareHapi = { origin: string }

/** The yardstick of creates: a hapi route that parses a JSON body, answers a small object, and does nothing else. */
runProgram<null, BareHapi>(async () => {
  const server = createServer({ host: '127.0.0.1', port: 0 })
  server.route({ method: 'POST', path: '/', handler: (request) => ({ received: typeof request.payload }) })
  await server.start()
  return { ready: { origin: server.info.uri }, answer: () => null }
})
