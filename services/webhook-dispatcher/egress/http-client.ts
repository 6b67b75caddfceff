import { X509Certificate } from 'node:crypto'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import type { Probe } from '#shared/bus/messages/dispatcher.ts'
import type { AttemptError, AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import { urlRulesOf, webhookUrlError } from '#shared/domain/webhook/url.ts'
import { readSettingFile } from '#shared/lifecycle/setting-file.ts'
import { StartError, startExitCodes } from '#shared/lifecycle/start-error.ts'
import { type AddressGuard, createAddressGuard } from './address-guard.ts'
import { Endpoint } from './endpoint.ts'
import { createProbe, type ProbeFailure } from './probe.ts'
import { createResolve, type Resolve } from './resolver.ts'

export type HttpClientOptions = {
  /** The operator's own networks, as in the configuration. */
  allowCidrs: readonly string[]
  /** Whether URLs may begin with http://, for hosts whose every address is in these networks. */
  allowHttp: boolean
  /** Path of a PEM file whose certificates are trusted in addition to the usual roots; empty or null: none. */
  caFile: string | null
  /** The deadline of an attempt, over everything that it does. */
  timeoutMs: number
  /** How many connections are kept; open requests are never interrupted to stay below it. */
  maxClients: number
  /** A connection is closed after being unused for this time. */
  idleMs?: number
  /** A connection older than this is not reused, so that a changed DNS record takes effect. */
  maxAgeMs?: number
  resolve?: Resolve
}

type PostRequest = {
  /** The webhook's id: each has a connection of its own. */
  key: string
  url: string
  /** Names and values, alternating. */
  headers: string[]
  /** Sent unchanged. */
  body: Buffer
  signal?: AbortSignal
  /** Whether the outcome has details even if it is a quick success. */
  isDetailed?: boolean
}

/** The only way to the internet: every attempt, ping and probe of a URL goes through it. */
export class HttpClient {
  /** Checks that the URL may be called and answers (contract 2.7); see probe.ts. */
  readonly probe: (of: Probe) => Promise<ProbeFailure | null>
  readonly #guard: AddressGuard
  readonly #secureContext: SecureContext
  readonly #timeoutMs: number
  readonly #maxClients: number
  readonly #idleMs: number
  readonly #maxAgeMs: number
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #sweep: NodeJS.Timeout
  #isClosed = false

  constructor(options: HttpClientOptions) {
    const { caFile, timeoutMs, maxClients, idleMs = 60_000, maxAgeMs = 600_000 } = options
    this.#guard = createAddressGuard({ rules: urlRulesOf(options), resolve: options.resolve ?? createResolve() })
    this.#secureContext = createSecureContext(caFile ? { ca: trustedAuthorities(caFile) } : {})
    this.#timeoutMs = timeoutMs
    this.#maxClients = maxClients
    this.#idleMs = idleMs
    this.#maxAgeMs = maxAgeMs
    this.#sweep = setInterval(() => this.#dropUnused(), idleMs / 10).unref()
    this.probe = createProbe({ guard: this.#guard, secureContext: this.#secureContext })
  }

  /**
   * Sends one POST and resolves with its outcome, at the deadline at the latest; never rejects. One at a time for each
   * key (specification, "Retries and ordering"): while one is open, another is not sent and ends as `interrupted`.
   */
  post({ key, url, headers, body, signal, isDetailed = false }: PostRequest): Promise<AttemptOutcome> {
    const kept = this.#endpoints.get(key)
    if (this.#isClosed || signal?.aborted || kept?.isBusy) return Promise.resolve(notSent('interrupted'))
    // The rules may have changed since the URL was accepted: the operator's networks are configuration.
    const urlError = kept?.url === url ? null : webhookUrlError(url, this.#guard.rules)
    if (urlError) return Promise.resolve(notSent(urlError === 'not-https' ? urlError : 'blocked-address'))
    const endpoint = kept && this.#isUsable(kept, url) ? kept : this.#open(key, url)
    return new Promise((resolve) => {
      const interrupt = () => endpoint.interrupt()
      signal?.addEventListener('abort', interrupt)
      const settle = (outcome: AttemptOutcome) => {
        signal?.removeEventListener('abort', interrupt)
        resolve(outcome)
      }
      endpoint.post({ request: { headers, body }, timeoutMs: this.#timeoutMs, isDetailed, settle })
    })
  }

  /** Closes the webhook's connection; an open request on it ends as `interrupted`. */
  forget(key: string): void {
    const endpoint = this.#endpoints.get(key)
    this.#endpoints.delete(key)
    endpoint?.destroy()
  }

  /** Interrupts every open request; later posts end as `interrupted` too. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#sweep)
    for (const endpoint of this.#endpoints.values()) endpoint.destroy()
    this.#endpoints.clear()
  }

  #isUsable(endpoint: Endpoint, url: string): boolean {
    const isYoung = performance.now() - endpoint.openedAt < this.#maxAgeMs
    return endpoint.url === url && isYoung && !endpoint.isDestroyed
  }

  #open(key: string, url: string): Endpoint {
    this.forget(key)
    this.#freeRoom()
    const endpoint = new Endpoint({ url, guard: this.#guard, secureContext: this.#secureContext, idleMs: this.#idleMs })
    this.#endpoints.set(key, endpoint)
    return endpoint
  }

  /** Closes the connections that were unused for longest until there is room for one more. */
  #freeRoom(): void {
    const excess = this.#endpoints.size + 1 - this.#maxClients
    if (excess <= 0) return
    const idle = [...this.#endpoints].filter(([, endpoint]) => !endpoint.isBusy)
    const longestUnused = idle.sort(([, one], [, other]) => one.usedAt - other.usedAt).slice(0, excess)
    for (const [key] of longestUnused) this.forget(key)
  }

  #dropUnused(): void {
    const now = performance.now()
    for (const [key, endpoint] of this.#endpoints) {
      if (!endpoint.isBusy && now - endpoint.usedAt >= this.#idleMs) this.forget(key)
    }
  }
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  return new HttpClient(options)
}

function notSent(error: AttemptError): AttemptOutcome {
  return { status: null, body: '', durationMs: 0, error }
}

/** @throws StartError when the file cannot be read or has no certificate */
function trustedAuthorities(caFile: string): string[] {
  const text = readSettingFile('webhooks.caFile', caFile)
  try {
    // OpenSSL silently accepts a file without certificates.
    new X509Certificate(text)
  } catch {
    throw new StartError(
      startExitCodes.configuration,
      `webhooks.caFile cannot be used: ${caFile} has no readable certificate.`,
    )
  }
  return [...getCACertificates('default'), text]
}
