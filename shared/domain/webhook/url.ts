import { parseHost } from '#shared/net/address.ts'
import type { Cidr } from '#shared/net/cidr.ts'
import { isAllowedAddress } from '#shared/net/public-address.ts'
import { lengths } from '../limits.ts'

export type WebhookUrlError = 'invalid' | 'not-https' | 'private-address'

/**
 * The error in the form of a webhook's url, or null (contract 2.7). Nothing is resolved here: whether a name has public
 * addresses is checked when connecting. `allowed` are the operator's own networks; with any of them set, every name is
 * allowed.
 */
export function webhookUrlError(text: string, allowed: readonly Cidr[]): WebhookUrlError | null {
  if (text.length > lengths.url || /[\s\p{Cc}\\]/u.test(text) || !text.isWellFormed()) return 'invalid'
  const url = URL.parse(text)
  if (url === null) return 'invalid'
  if (url.protocol !== 'https:') return 'not-https'
  if (!hasPlainForm(text) || !isPortAllowed(url.port)) return 'invalid'
  return hostError(url.hostname, allowed)
}

/** `https://host…` without user info or fragment, also without empty ones, which URL does not show. */
function hasPlainForm(text: string): boolean {
  return /^https:\/\/[^/?#@]+(?:[/?][^#]*)?$/i.test(text)
}

function isPortAllowed(port: string): boolean {
  const number = port === '' ? 443 : Number(port)
  return number === 443 || (number >= 1024 && number <= 65_535 && !blockedPorts.has(number))
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
