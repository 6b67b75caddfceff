import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
} from '#services/webhook-dispatcher/egress/http-client.ts'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import { showOnFailure } from '../test-context/failure-log.ts'
import { testFolder } from '../test-context/folder.ts'
import type { Teardown } from '../test-context/teardown.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts'

/** A receiver for one test; closed when the test ends. */
export async function testReceiver(t: Teardown, options: ReceiverOptions = {}): Promise<Receiver> {
  const receiver = await startReceiver(options)
  t.teardown(() => receiver.close())
  showOnFailure(t, 'receiver', () => receiver.describe())
  return receiver
}

/** Writes the authority's certificate where a configuration can name it; removed when the test ends. */
export async function testCaFile(t: Teardown, ca: string): Promise<string> {
  const path = join(await testFolder(t), 'ca.pem')
  await writeFile(path, ca)
  return path
}

/**
 * A client that trusts the receiver and may reach the loopback network; closed when the test ends. Its default deadline is in ten
 * minutes, so that no test passes because of it.
 */
export async function testHttpClient(
  t: Teardown,
  receiver: Pick<Receiver, 'ca'>,
  options: Partial<HttpClientOptions> = {},
): Promise<HttpClient> {
  const caFile = await testCaFile(t, receiver.ca)
  const client = createHttpClient({
    allowCidrs: ['127.0.0.0/8'],
    allowHttp: false,
    caFile,
    timeoutMs: 600_000,
    maxClients: 100,
    ...options,
  })
  t.teardown(() => client.close())
  return client
}

export type PostOptions = { key?: string; body?: string; signal?: AbortSignal }

export function post(
  client: HttpClient,
  url: string,
  { key = 'webhook', body = '{}', signal }: PostOptions = {},
): Promise<AttemptOutcome> {
  const headers = ['content-type', 'application/json']
  return client.post({ key, url, headers, body: Buffer.from(body), ...(signal && { signal }) })
}
