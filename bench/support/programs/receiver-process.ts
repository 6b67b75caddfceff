import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Certificate } from '../../../test/support/receivers/certificate.ts'
import { monotonicMs } from '../clock.ts'
import type { Receipt } from '../worlds/receiver.ts'
import { runProgram } from './run-program.ts'

runProgram<Certificate, { port: number }>(async (certificate) => {
  let receipts: Receipt[] = []
  const server = createServer(certificate, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const at = monotonicMs()
      response.writeHead(204).end()
      receipts.push({ mark: markIn(Buffer.concat(chunks)), at })
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    ready: { port: (server.address() as AddressInfo).port },
    answer(question: 'count' | 'take') {
      if (question === 'count') return receipts.length
      const taken = receipts
      receipts = []
      return taken
    },
  }
})

const beforeMark = '"mark":"'

function markIn(body: Buffer): string {
  const start = body.indexOf(beforeMark) + beforeMark.length
  return body.toString('latin1', start, body.indexOf('"', start))
}
