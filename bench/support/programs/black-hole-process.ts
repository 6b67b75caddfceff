import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Certificate } from '../../../test/support/receivers/certificate.ts'
import { runProgram } from './run-program.ts'

/** A customer's HTTPS server that accepts every request and never answers; it reports how many it has accepted. */
runProgram<Certificate, { port: number }>(async (certificate) => {
  let taken = 0
  const server = createServer(certificate, () => void taken++)
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { ready: { port: (server.address() as AddressInfo).port }, answer: () => taken }
})
