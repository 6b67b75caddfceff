import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { parseAddress } from '#shared/net/address.ts'

/** Addresses per name and record type; `silent` never answers, `broken` answers SERVFAIL. A missing name does not exist. */
export type Zone = Record<string, Partial<Record<'A' | 'AAAA', readonly string[] | 'silent' | 'broken'>>>

export type DnsServer = { address: string; queries: string[]; close(): void }

const recordTypes = { 1: 'A', 28: 'AAAA' } as const
const servfail = 2
const nxdomain = 3

/** A DNS server on the loopback interface that knows one zone (RFC 1035, 4.1). */
export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const queries: string[] = []
  socket.on('message', (query, from) => {
    const { name, type, question } = readQuestion(query)
    queries.push(`${name} ${type}`)
    const records = type === undefined ? [] : (zone[name]?.[type] ?? [])
    if (records === 'silent') return
    const code = records === 'broken' ? servfail : zone[name] ? 0 : nxdomain
    const answers = records === 'broken' ? [] : records.map(record)
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 | code, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([head, question, ...answers]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, queries, close: () => void socket.close() }
}

function readQuestion(query: Buffer): { name: string; type: 'A' | 'AAAA' | undefined; question: Buffer } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = recordTypes[query.readUInt16BE(at + 1) as 1 | 28]
  return { name: labels.join('.').toLowerCase(), type, question: query.subarray(12, at + 5) }
}

/** A record for the question's own name, with a time to live of 0. */
function record(text: string): Buffer {
  const address = parseAddress(text)
  if (address === null) throw new TypeError(`not an address: ${text}`)
  const size = address.family === 4 ? 4 : 16
  const data = Buffer.from(address.value.toString(16).padStart(size * 2, '0'), 'hex')
  const head = Buffer.from([0xc0, 12, 0, address.family === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, size])
  return Buffer.concat([head, data])
}
