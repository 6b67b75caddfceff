import type { ExecutionContext } from 'ava'
import sodium from 'sodium-native'

/** The parameters of each hash that was computed and of each that a password was compared with, as its text names them. */
export type Hashing = { created: string[]; verified: string[] }

/**
 * Tells what this process hashes from now on; sodium works as ever. For a serial test: a process has one sodium, and
 * whatever else runs in it would be seen too.
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

/** Lets no hash of this process begin until it is called or the test ends. For a serial test, as `watchHashing` is. */
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

/** The KiB that such a hash processes; its time is proportional to them. */
export function workOf(parameters: string): number {
  const [memory = 0, passes = 0] = parameters.match(/\d+/g)?.map(Number) ?? []
  return memory * passes
}
