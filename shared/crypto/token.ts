import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The kind of a token. A token of one kind is never accepted as another. */
export type TokenKind = 'api' | 'session' | 'identity' | 'setup' | 'reset' | 'verify'

const prefix = 'listd'
const kinds: readonly TokenKind[] = ['api', 'session', 'identity', 'setup', 'reset', 'verify']
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretBytes = 32
const secretDigits = 43
const checksumDigits = 6
const form = new RegExp(`^${prefix}_(${kinds.join('|')})_[0-9A-Za-z]{${secretDigits + checksumDigits}}$`)
const maxLength = 80

/**
 * A new token: `listd_<kind>_<43 base62 digits of 32 random bytes><6 base62 digits of a CRC-32>`.
 * The fixed prefix lets scanners find leaked tokens, the checksum rejects garbage without a database read.
 */
export function generateToken(kind: TokenKind): string {
  const secret = BigInt(`0x${randomBytes(secretBytes).toString('hex')}`)
  const text = `${prefix}_${kind}_${base62(secret, secretDigits)}`
  return text + checksum(text)
}

/** The stored form of a token: SHA-256 as 64 hex digits. The token has 256 random bits, so no salt is needed. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex')
}

/** The kind of a text with the form and checksum of a token, valid or not; null for any other text. */
export function parseToken(text: string): { kind: TokenKind } | null {
  if (text.length > maxLength || !form.test(text)) return null
  if (checksum(text.slice(0, -checksumDigits)) !== text.slice(-checksumDigits)) return null
  const kind = claimedKind(text)
  return kind ? { kind } : null
}

/** The kind of token that a text claims to be by its prefix, whatever follows. */
export function claimedKind(text: string): TokenKind | null {
  return kinds.find((kind) => text.startsWith(`${prefix}_${kind}_`)) ?? null
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), checksumDigits)
}

function base62(value: bigint, length: number): string {
  let rest = value
  let text = ''
  while (text.length < length) {
    text = digits.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  return text
}
