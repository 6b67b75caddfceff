import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import { until } from '../assertions/until.ts'
import { type Authority, type Certificate, makeAuthority } from './certificate.ts'
import { type Reply, sendReply } from './reply.ts'
import { type ParsedRequest, requestsOn } from './requests.ts'

export type ReceivedRequest = ParsedRequest & {
  /** Epoch milliseconds when the last byte of the request had arrived. */
  receivedAt: number
  /** The connection of the request, counted from 1. */
  connection: number
}

/**
 * What the receiver does with a new connection: serve it; accept it and send nothing (`silent`); stop in the middle of the TLS
 * handshake (`half-handshake`); complete the handshake but never read (`deaf`); answer in plain text (`plain`); reset it at once
 * (`reset`).
 */
export type Welcome = 'serve' | 'silent' | 'half-handshake' | 'deaf' | 'plain' | 'reset'

export type ReceiverOptions = {
  reply?: Receiver['reply']
  welcome?: Welcome
  /** `http`: without TLS; `https` is the default. */
  scheme?: 'https' | 'http'
  authority?: Authority
  certificate?: Certificate
  host?: string
  /** 0, the default, uses a free port; a given port reuses that of an earlier receiver. */
  port?: number
}

/** How long to wait without any progress: many times what an idle machine needs. */
const maxWaitMs = 60_000

/** A customer's server for tests: it records requests and answers as configured. */
export class Receiver {
  /** The reply, or a function that returns it for each request, also later; may be changed at any time. */
  reply: Reply | ((request: ReceivedRequest) => Reply | Promise<Reply>)
  welcome: Welcome
  readonly requests: ReceivedRequest[] = []
  /** The connections so far, and those whose TLS session was resumed from an earlier one. */
  connections = 0
  resumed = 0
  /** PEM of the authority that a sender must trust. */
  readonly ca: string
  port = 0

  readonly #scheme: 'https' | 'http'
  readonly #server = createServer((socket) => this.#take(socket))
  readonly #open = new Set<Socket>()
  readonly #waiting = new Set<() => void>()
  #context: ReturnType<typeof createSecureContext>

  constructor(options: ReceiverOptions) {
    const authority = options.authority ?? makeAuthority()
    this.reply = options.reply ?? {}
    this.welcome = options.welcome ?? 'serve'
    this.#scheme = options.scheme ?? 'https'
    this.ca = authority.cert
    this.#context = createSecureContext(options.certificate ?? authority.issue())
  }

  async listen({ host = '127.0.0.1', port = 0 }: ReceiverOptions): Promise<this> {
    this.#server.listen(port, host)
    await once(this.#server, 'listening')
    this.port = (this.#server.address() as AddressInfo).port
    return this
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}/hook`
  }

  /** The currently open connections. */
  get open(): number {
    return this.#open.size
  }

  /** Resolves once this many requests have arrived in total. */
  received(count: number): Promise<ReceivedRequest[]> {
    return this.#until(() => this.requests.length >= count, `${count} requests`).then(() => this.requests)
  }

  /** Resolves once this many connections are open. */
  opened(count: number): Promise<void> {
    return this.#until(() => this.open === count, `${count} open connections`)
  }

  /** Resolves once the senders have sent something on this many open connections, even if it is not read as a request. */
  heard(count: number): Promise<void> {
    const heard = () => [...this.#open].filter(({ bytesRead }) => bytesRead > 0).length
    return until(() => heard() === count || `${heard()} connections`)
  }

  /** The requests so far, one per line, to explain missing ones. */
  describe(): string[] {
    const byPath = Map.groupBy(this.requests, ({ path }) => path)
    return [
      `${this.requests.length} requests over ${this.connections} connections, ${this.open} of them open`,
      ...[...byPath].map(([path, requests]) => `${path}: ${requests.length}`),
    ]
  }

  /** Presents another certificate on later connections. */
  present(certificate: Certificate): void {
    this.#context = createSecureContext(certificate)
  }

  /** Closes every open connection gracefully. */
  endConnections(): void {
    for (const socket of this.#open) socket.end()
  }

  /** Resets every open connection. */
  resetConnections(): void {
    for (const socket of this.#open) socket.resetAndDestroy()
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
    await closed
  }

  #take(raw: Socket): void {
    this.connections += 1
    this.#open.add(raw)
    raw.on('error', () => raw.destroy())
    raw.on('close', () => {
      this.#open.delete(raw)
      this.#changed()
    })
    this.#changed()
    const connection = this.connections
    if (this.#scheme === 'http') return void this.#answer({ socket: raw, raw }, connection).catch(() => raw.destroy())
    welcomes[this.welcome](raw, (stream) => this.#serve({ raw, stream, connection }))
  }

  #serve({ raw, stream, connection }: { raw: Socket; stream: Duplex; connection: number }): void {
    const socket = new TLSSocket(stream, { isServer: true, secureContext: this.#context, ALPNProtocols: ['http/1.1'] })
    socket.on('error', () => raw.destroy())
    socket.on('secure', () => {
      if (socket.isSessionReused()) this.resumed += 1
    })
    if (this.welcome === 'deaf') return
    void this.#answer({ socket, raw }, connection).catch(() => raw.destroy())
  }

  async #answer(ends: { socket: Socket; raw: Socket }, connection: number): Promise<void> {
    for await (const parsed of requestsOn(ends.socket)) {
      const request = { ...parsed, receivedAt: Date.now(), connection }
      this.requests.push(request)
      const reply = typeof this.reply === 'function' ? this.reply(request) : this.reply
      this.#changed()
      sendReply(await reply, ends)
    }
  }

  #until(condition: () => boolean, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () =>
        reject(new Error(`Nothing came for ${maxWaitMs} ms; waited for ${what}\n${this.describe().join('\n')}`))
      const timer = setTimeout(giveUp, maxWaitMs).unref()
      const check = () => {
        if (!condition()) return void timer.refresh()
        clearTimeout(timer)
        this.#waiting.delete(check)
        resolve()
      }
      this.#waiting.add(check)
      check()
    })
  }

  #changed(): void {
    for (const check of this.#waiting) check()
  }
}

/** Starts a receiver; without a certificate it presents one for localhost, 127.0.0.1 and ::1. */
export function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  return new Receiver(options).listen(options)
}

const welcomes: Record<Welcome, (raw: Socket, serve: (stream: Duplex) => void) => void> = {
  serve: (raw, serve) => serve(raw),
  silent: (raw) => void raw.resume(),
  'half-handshake': (raw, serve) => serve(cutShort(raw, 200)),
  deaf: (raw, serve) => serve(raw),
  plain: (raw) => void raw.resume().end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'),
  reset: (raw) => void raw.resetAndDestroy(),
}

/** The connection, which sends only this many of the written bytes. */
function cutShort(raw: Socket, bytes: number): Duplex {
  let left = bytes
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      raw.write(chunk.subarray(0, left))
      left = Math.max(0, left - chunk.length)
      done()
    },
  })
  raw.on('data', (chunk) => stream.push(chunk))
  raw.on('close', () => stream.destroy())
  return stream
}
