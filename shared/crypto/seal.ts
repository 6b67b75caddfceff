import { hash, randomBytes } from 'node:crypto'
import sodium from 'sodium-native'

/**
 * Seals short secrets for the database: XChaCha20-Poly1305 with a random 24-byte nonce. `aad` names the account and the
 * row of the value, so that a value that was moved to another row does not open.
 */
export type Sealer = {
  /** @returns `v1.<key id>.<base64url of nonce and cipher>` */
  seal(plain: string, aad: string): string
  /** @throws Error that distinguishes another master key from an altered or moved value, and never contains the value */
  open(sealed: string, aad: string): string
  /** A value for the database by which this master key is recognized. */
  makeCheck(): string
  /** Whether the check value was made with this master key. */
  verifyCheck(check: string): boolean
}

const keyBytes = sodium.crypto_aead_xchacha20poly1305_ietf_KEYBYTES
const nonceBytes = sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES
const tagBytes = sodium.crypto_aead_xchacha20poly1305_ietf_ABYTES
const version = 'v1'
const checkText = 'listd'
const checkAad = 'settings:secretsCheck'

/** A new master key: base64 of 32 random bytes. */
export function makeMasterKey(): string {
  return randomBytes(keyBytes).toString('base64')
}

/**
 * @param masterKeyText base64 or base64url of 32 bytes; surrounding white space is ignored, because it comes from files
 * @throws Error with a sentence that says how to make a key and contains nothing of the text
 */
export function openSealer(masterKeyText: string): Sealer {
  const key = readKey(masterKeyText.trim())
  const keyId = hash('sha256', key, 'hex').slice(0, 8)
  const bind = (aad: string) => Buffer.from(`${version}.${keyId}.${aad}`)

  function seal(plain: string, aad: string): string {
    const nonce = randomBytes(nonceBytes)
    const message = Buffer.from(plain)
    const cipher = Buffer.alloc(message.length + tagBytes)
    sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(cipher, message, bind(aad), null, nonce, key)
    return `${version}.${keyId}.${Buffer.concat([nonce, cipher]).toString('base64url')}`
  }

  function open(sealed: string, aad: string): string {
    const [form, sealedWith, text = ''] = sealed.split('.')
    const bytes = Buffer.from(text, 'base64url')
    if (form !== version || bytes.length < nonceBytes + tagBytes) throw new Error('This is not a sealed value.')
    if (sealedWith !== keyId) throw new Error('The value was sealed with another master key.')
    const message = Buffer.alloc(bytes.length - nonceBytes - tagBytes)
    const cipher = bytes.subarray(nonceBytes)
    const nonce = bytes.subarray(0, nonceBytes)
    try {
      sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(message, null, cipher, bind(aad), nonce, key)
    } catch {
      throw new Error('The sealed value was altered or belongs to another row.')
    }
    return message.toString()
  }

  return {
    seal,
    open,
    makeCheck: () => seal(checkText, checkAad),
    verifyCheck(check) {
      try {
        return open(check, checkAad) === checkText
      } catch {
        return false
      }
    },
  }
}

/** The fingerprint of the master key that sealed a value: 8 hexadecimal digits, which tell nothing of the key. */
export function keyFingerprint(sealed: string): string {
  return sealed.split('.')[1] ?? ''
}

function readKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64')
  // Node skips characters that are not base64, so the text must also have the length of 32 bytes.
  if (key.length === keyBytes && /^[\w+/-]{43}=?$/.test(text)) return key
  throw new Error('secrets.masterKey must be 32 random bytes in base64; `openssl rand -base64 32` makes such a key.')
}
