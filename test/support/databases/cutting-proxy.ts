import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Teardown } from '../test-context/teardown.ts'

/** A proxy between a client and a server that can break their connections at a certain message. */
export type CuttingProxy = {
  /** The server's url, through the proxy. */
  url: string
  /** Breaks the connection of the next message that contains this, before or after the server receives it. */
  cutAt(message: RegExp, when: 'before-server' | 'after-server'): void
  /** Breaks every open connection, even in the middle of a message. */
  cutAll(): void
  /** How often it has cut. */
  cuts(): number
}

/** A proxy for one test, in front of the server that the URL names. */
export async function cuttingProxy(t: Teardown, serverUrl: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(serverUrl)
  const open = new Set<Socket>()
  let cut: { message: RegExp; when: 'before-server' | 'after-server' } | null = null
  let cuts = 0

  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    const ends = [client, server]
    const breakBoth = () => {
      for (const end of ends) end.destroy()
    }
    for (const end of ends) {
      open.add(end)
      end.on('error', breakBoth).on('close', breakBoth)
      end.once('close', () => open.delete(end))
    }
    server.on('data', (chunk) => client.write(chunk))
    client.on('data', (chunk) => {
      if (!cut?.message.test(chunk.toString('latin1'))) return void server.write(chunk)
      const { when } = cut
      cut = null
      cuts++
      if (when === 'before-server') return breakBoth()
      client.destroy()
      // The server's messages to the client are discarded.
      server.removeAllListeners('close').write(chunk, () => server.end())
    })
  })
  const cutAll = () => {
    for (const end of open) end.destroy()
  }
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => {
    proxy.close()
    cutAll()
  })

  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    cutAt: (message, when) => {
      cut = { message, when }
    },
    cutAll,
    cuts: () => cuts,
  }
}
