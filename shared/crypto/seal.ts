import { hash, randomBytes } from 'node:crypto'
import sodium from 'sodium-native'
import { isKeyText, maxKeys, splitKeys } from './key-text.ts'

/**
 * Seals short secrets for the database: XChaCha20-Poly1305 with a random 24-byte nonce. `aad` names the account and the
 * row of the value, so that a value that was moved to another row does not open. Several keys may open; a value names its own.
 */
export type Sealer = {
  /** The ids of its keys, in the order in which they were given. */
  keyIds(): readonly string[]
  /** Whether it has the key of this id. */
  has(keyId: string): boolean
  /**
   * @param keyId of the key to seal with; the first one by default
   * @returns `v1.<key id>.<base64url of nonce and cipher>`
   */
  seal(plain: string, aad: string, keyId?: string): string
  /** @throws UnknownKey, or an Error about an altered or moved value; neither contains the value */
  open(sealed: string, aad: string): string
  /** A value for the database by which a key is recognized, the first one by default. */
  createCheck(keyId?: string): string
  /** Whether the check value was created with one of the keys. */
  verifyCheck(check: string): boolean
}

/** A value was sealed with a key that is not here. */
export class UnknownKey extends Error {
  override readonly name = 'UnknownKey'
  constructor(keyId: string) {
    super(`It was sealed with the key ${keyId}, which secrets.masterKey does not have.`)
  }
}

const keyBytes = sodium.crypto_aead_xchacha20poly1305_ietf_KEYBYTES
const nonceBytes = sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES
const tagBytes = sodium.crypto_aead_xchacha20poly1305_ietf_ABYTES
const version = 'v1'
const checkText = 'listd'
const checkAad = 'settings:secretsCheck'

/** A new master key: base64 of 32 random bytes. */
export function createMasterKey(): string {
  return randomBytes(keyBytes).toString('base64')
}

/**
 * @param keysText one or more keys, each base64 or base64url of 32 bytes, apart by white space or commas
 * @throws Error with a sentence that says how to create a key and contains nothing of the text
 */
export function openSealer(keysText: string): Sealer {
  return sealerOf(readKeys(keysText))
}

/**
 * A sealer for a process that continues while its keys change. It reads them again, at most once a second, if a value has an unknown key
 * id. It keeps old keys, because a value that was read earlier may be opened later.
 * @param readAgain returns the current text of the keys; if it throws, the keys count as unchanged
 */
export function openKeyRing(keysText: string, readAgain: () => string): Sealer {
  const keys = readKeys(keysText)
  let readAt = Number.NEGATIVE_INFINITY
  function findOrReload(keyId: string): Buffer | undefined {
    if (!keys.has(keyId) && performance.now() - readAt >= reloadMs) {
      readAt = performance.now()
      for (const [id, key] of readIfPossible(readAgain)) keys.set(id, key)
    }
    return keys.get(keyId)
  }
  return sealerOf({ get: findOrReload, keys: () => keys.keys() })
}

const reloadMs = 1_000

type Keys = { get(keyId: string): Buffer | undefined; keys(): Iterable<string> }

function sealerOf(keys: Keys): Sealer {
  const keyIds = () => [...keys.keys()]

  function keyOf(keyId: string): Buffer {
    const key = keys.get(keyId)
    if (key === undefined) throw new UnknownKey(keyId)
    return key
  }

  const sealer: Sealer = {
    keyIds,
    has: (keyId) => keys.get(keyId) !== undefined,
    seal: (plain, aad, keyId = keyIds()[0] ?? '') => seal(plain, { key: keyOf(keyId), keyId, aad }),
    open(sealed, aad) {
      const [form, keyId = '', text = ''] = sealed.split('.')
      const bytes = Buffer.from(text, 'base64url')
      if (form !== version || bytes.length < nonceBytes + tagBytes) throw new Error('This is not a sealed value.')
      return open(bytes, { key: keyOf(keyId), keyId, aad })
    },
    createCheck: (keyId) => sealer.seal(checkText, checkAad, keyId),
    verifyCheck(check) {
      try {
        return sealer.open(check, checkAad) === checkText
      } catch {
        return false
      }
    },
  }
  return sealer
}

type With = { key: Buffer; keyId: string; aad: string }

const bind = ({ keyId, aad }: With) => Buffer.from(`${version}.${keyId}.${aad}`)

function seal(plain: string, using: With): string {
  const nonce = randomBytes(nonceBytes)
  const message = Buffer.from(plain)
  const cipher = Buffer.alloc(message.length + tagBytes)
  sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(cipher, message, bind(using), null, nonce, using.key)
  return `${version}.${using.keyId}.${Buffer.concat([nonce, cipher]).toString('base64url')}`
}

function open(bytes: Buffer, using: With): string {
  const message = Buffer.alloc(bytes.length - nonceBytes - tagBytes)
  const cipher = bytes.subarray(nonceBytes)
  const nonce = bytes.subarray(0, nonceBytes)
  try {
    sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(message, null, cipher, bind(using), nonce, using.key)
  } catch {
    throw new Error('The sealed value was altered or belongs to another row.')
  }
  return message.toString()
}

function readIfPossible(read: () => string): Map<string, Buffer> {
  try {
    return readKeys(read())
  } catch {
    return new Map()
  }
}

/** The keys by id, in their order. */
function readKeys(text: string): Map<string, Buffer> {
  const keys = splitKeys(text).map(readKey)
  if (keys.length > maxKeys) throw new Error(`secrets.masterKey must have at most ${maxKeys} keys.`)
  return new Map(keys.map((key) => [hash('sha256', key, 'hex').slice(0, 8), key]))
}

function readKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64')
  // Node skips characters that are not base64, so the text must also have the length of 32 bytes.
  if (key.length === keyBytes && isKeyText(text)) return key
  throw new Error('secrets.masterKey must be 32 random bytes in base64; `openssl rand -base64 32` creates such a key.')
}
