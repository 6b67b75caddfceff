import type { ExecutionContext } from 'ava'
import sodium from 'sodium-native'

/** The parameters of each computed hash, and of each hash that a password was compared with, as in their texts. */
export type Hashing = { created: string[]; verified: string[] }

/**
 * Records what this process hashes from now on; sodium works as usual. Only for a serial test: a process has one sodium, and other
 * hashes in it would be recorded too.
 */
export function watchHashing(t: ExecutionContext): Hashing {
  const hashing: Hashing = { created: [], verified: [] }
  const { crypto_pwhash_str_async: make, crypto_pwhash_str_verify_async: verify } = sodium
  t.teardown(() => Object.assign(sodium, { crypto_pwhash_str_async: make, crypto_pwhash_str_verify_async: verify }))
  sodium.crypto_pwhash_str_async = async (stored, ...rest) => {
    await make(stored, ...rest)
    hashing.created.push(parametersOf(stored))
  }
  sodium.crypto_pwhash_str_verify_async = (stored, password) => {
    hashing.verified.push(parametersOf(stored))
    return verify(stored, password)
  }
  return hashing
}

/** Lets no hash of this process begin until the function is called or the test ends. Only for a serial test, like `watchHashing`. */
export function holdHashing(t: ExecutionContext): () => void {
  const { crypto_pwhash_str_async: make, crypto_pwhash_str_verify_async: verify } = sodium
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  t.teardown(() => {
    release()
    Object.assign(sodium, { crypto_pwhash_str_async: make, crypto_pwhash_str_verify_async: verify })
  })
  sodium.crypto_pwhash_str_async = (...hash) => released.then(() => make(...hash))
  sodium.crypto_pwhash_str_verify_async = (...hash) => released.then(() => verify(...hash))
  return release
}

/** `m=19456,t=2,p=1` of `$argon2id$v=19$m=19456,t=2,p=1$…` */
function parametersOf(stored: Buffer): string {
  return stored.toString('latin1').split('$')[3] ?? ''
}

/** The KiB that such a hash processes; its time is proportional to this. */
export function workOf(parameters: string): number {
  const [memory = 0, passes = 0] = parameters.match(/\d+/g)?.map(Number) ?? []
  return memory * passes
}
