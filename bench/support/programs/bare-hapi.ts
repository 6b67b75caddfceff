import { server as createServer } from '@hapi/hapi'
import { runProgram } from './run-program.ts'

export type BareHapi = { origin: string }

/** JSON texts to answer a GET with, by path. */
export type BareAnswers = Record<string, string>

/**
 * The yardstick of requests: hapi routes that only parse a JSON body and answer a small object, or answer a GET with a
 * prepared text.
 */
runProgram<BareAnswers, BareHapi>(async (answers) => {
  const server = createServer({ host: '127.0.0.1', port: 0 })
  server.route({ method: 'POST', path: '/', handler: (request) => ({ received: typeof request.payload }) })
  for (const [path, text] of Object.entries(answers)) {
    server.route({ method: 'GET', path, handler: (_request, h) => h.response(text).type('application/json') })
  }
  await server.start()
  return { ready: { origin: server.info.uri }, answer: () => null }
})
