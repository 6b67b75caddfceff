import { parseHost } from '#shared/net/address.ts'
import { type Cidr, parseCidrs } from '#shared/net/cidr.ts'
import { isAllowedAddress, isInNetworks } from '#shared/net/public-address.ts'
import { lengths } from '../limits.ts'

export type WebhookUrlError = 'invalid' | 'not-https' | 'private-address'

/** The URLs that the operator allows in addition to `https` and the public internet. */
export type UrlRules = {
  /** The operator's own networks; with any of them set, every name is accepted. */
  readonly allowed: readonly Cidr[]
  /** Whether `http://` is accepted too, for hosts whose every address is in these networks. */
  readonly allowHttp: boolean
}

/** The rules of the configuration's `webhooks`. @throws TypeError for a network that is invalid */
export function urlRulesOf(webhooks: { allowCidrs: readonly string[]; allowHttp: boolean }): UrlRules {
  return { allowed: parseCidrs('webhooks.allowCidrs', webhooks.allowCidrs), allowHttp: webhooks.allowHttp }
}

/**
 * The error in the form of a webhook's url, or null (contract 2.7); `allowHttp` is the one exception to `https`. Nothing is
 * resolved here: which addresses a name has is checked when connecting.
 */
export function webhookUrlError(text: string, rules: UrlRules): WebhookUrlError | null {
  if (text.length > lengths.url || /[\s\p{Cc}\\]/u.test(text) || !text.isWellFormed()) return 'invalid'
  const url = URL.parse(text)
  if (url === null) return 'invalid'
  if (!isSchemeAllowed(url, rules)) return 'not-https'
  if (!hasPlainForm(text) || !isPortAllowed(url)) return 'invalid'
  const error = hostError(url.hostname, rules.allowed)
  if (error !== null || url.protocol === 'https:') return error
  return isPublicLiteral(url.hostname, rules) ? 'not-https' : null
}

/** The port of a url: that of its scheme if it names none. */
export function portOf({ protocol, port }: Pick<URL, 'protocol' | 'port'>): number {
  if (port !== '') return Number(port)
  return protocol === 'http:' ? 80 : 443
}

function isSchemeAllowed({ protocol }: URL, { allowed, allowHttp }: UrlRules): boolean {
  return protocol === 'https:' || (protocol === 'http:' && allowHttp && allowed.length > 0)
}

/** `https://host…` without user info or fragment, also without empty ones, which URL does not show. */
function hasPlainForm(text: string): boolean {
  return /^https?:\/\/[^/?#@]+(?:[/?][^#]*)?$/i.test(text)
}

/** The port of the scheme, or one that needs no privileges to listen on and that browsers do not block. */
function isPortAllowed(url: URL): boolean {
  const number = portOf(url)
  return url.port === '' || (number >= 1024 && !blockedPorts.has(number))
}

function isPublicLiteral(host: string, { allowed }: UrlRules): boolean {
  return parseHost(host) !== null && !isInNetworks(host, allowed)
}

function hostError(host: string, allowed: readonly Cidr[]): WebhookUrlError | null {
  if (parseHost(host) !== null) return isAllowedAddress(host, allowed) ? null : 'private-address'
  if (allowed.length > 0) return isName(host, operatorLabel) ? null : 'invalid'
  if (isReservedName(host)) return 'private-address'
  return host.includes('.') && isName(host, publicLabel) ? null : 'invalid'
}

function isName(host: string, label: RegExp): boolean {
  return host.length <= 253 && host.split('.').every((part) => label.test(part))
}

function isReservedName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return reservedNames.some((reserved) => name === reserved || name.endsWith(`.${reserved}`))
}

const publicLabel = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** Names in a container network may also have underscores. */
const operatorLabel = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

const reservedNames = ['localhost', 'localdomain', 'local', 'internal', 'svc', 'arpa', 'home.arpa']

/** The ports from 1024 up that browsers block because other protocols listen there (WHATWG Fetch, "bad port"). */
const blockedPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
])
