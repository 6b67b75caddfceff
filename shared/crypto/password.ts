import { availableParallelism } from 'node:os'
import PQueue from 'p-queue'
import sodium from 'sodium-native'
import { normalPassword } from '#shared/domain/identity/password.ts'
import { passwordCost } from '#shared/domain/limits.ts'
import { AppError, validationFailed } from '#shared/errors.ts'

/** What one hash costs; operations are passes over the memory. */
export type PasswordParams = { memoryMib: number; operations: number }

const kib = 1024
const storedBytes = sodium.crypto_pwhash_STRBYTES

/**
 * Argon2id of a new password, as text that carries its own parameters and salt.
 * @param options.startBefore epoch milliseconds after which the answer helps nobody
 * @throws VALIDATION_FAILED for an empty or ill-formed text, SERVICE_UNAVAILABLE when too many hashes wait or its turn
 * comes after `startBefore`, RangeError for parameters so high that the hash could not be verified
 */
export async function hashPassword(
  text: string,
  params: PasswordParams,
  options: { startBefore?: number } = {},
): Promise<string> {
  if (text === '' || !text.isWellFormed()) {
    throw validationFailed([{ path: 'password', message: 'is empty or not well-formed Unicode' }])
  }
  if (!isBearable(params)) {
    const { maxMemoryMib, maxOperations } = passwordCost
    throw new RangeError(
      `passwords.memoryMib must be at most ${maxMemoryMib} and passwords.operations at most ${maxOperations}.`,
    )
  }
  const password = Buffer.from(normalPassword(text))
  const stored = Buffer.alloc(storedBytes)
  const { operations, memoryMib } = params
  await inTurn(
    () => sodium.crypto_pwhash_str_async(stored, password, operations, memoryMib * kib * kib),
    options.startBefore,
  )
  return withoutPadding(stored.toString('latin1'))
}

/**
 * Whether `text` is the password that was stored. False, without hashing, for a stored text that is not of our making or
 * asks for more than `passwordCost` allows: verification obeys the parameters in the stored text. An empty or ill-formed
 * text costs what any wrong one costs.
 * @param options.startBefore epoch milliseconds after which the answer helps nobody
 * @throws SERVICE_UNAVAILABLE when too many hashes wait, or its turn comes after `startBefore`
 */
export async function verifyPassword(
  stored: string,
  text: string,
  options: { startBefore?: number } = {},
): Promise<boolean> {
  if (!isVerifiable(stored)) return false
  const acceptable = text !== '' && text.isWellFormed()
  const password = Buffer.from(acceptable ? normalPassword(text) : '\0')
  // sodium wants exactly 128 bytes, the text padded with zeros.
  const padded = Buffer.alloc(storedBytes)
  padded.write(withoutPadding(stored), 'latin1')
  const matches = await inTurn(() => sodium.crypto_pwhash_str_verify_async(padded, password), options.startBefore)
  return matches && acceptable
}

/** Whether the text is an Argon2id hash of bearable cost; what is not must never reach sodium. */
export function isVerifiable(stored: string): boolean {
  const params = readParams(stored)
  return params !== null && isBearable(params)
}

function isBearable({ memoryMib, operations }: PasswordParams): boolean {
  return memoryMib <= passwordCost.maxMemoryMib && operations <= passwordCost.maxOperations
}

/**
 * Whether a password that was just verified should be hashed again: only when the stored hash is weaker and in nothing
 * stronger, so that lowering the configuration never weakens what is stored.
 */
export function needsUpgrade(stored: string, params: PasswordParams): boolean {
  const old = readParams(stored)
  if (!old || old.memoryMib > params.memoryMib || old.operations > params.operations) return false
  return old.memoryMib < params.memoryMib || old.operations < params.operations
}

/** A hash of nobody's password with these parameters: verifying against it makes an unknown name cost what a known one does. */
export function dummyHash(params: PasswordParams): Promise<string> {
  const key = `${params.memoryMib} ${params.operations}`
  const made = dummies.get(key) ?? hashPassword(crypto.randomUUID(), params)
  dummies.set(key, made)
  made.catch(() => dummies.delete(key))
  return made
}

const dummies = new Map<string, Promise<string>>()

/** Refuses work while no more hashes may wait, before anything is counted or read for it. @throws SERVICE_UNAVAILABLE */
export function assertHashingCapacity(): void {
  if (hashing.size >= maxWaiting) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
}

/** How many hashes are made at once, each by a thread: more than cores gains nothing and costs the memory of each. */
export const hashesAtOnce = availableParallelism()
const maxWaiting = 32 * hashesAtOnce
const hashing = new PQueue({ concurrency: hashesAtOnce })

async function inTurn<T>(work: () => Promise<T>, startBefore = Number.POSITIVE_INFINITY): Promise<T> {
  assertHashingCapacity()
  return hashing.add(() => {
    if (Date.now() > startBefore) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
    return work()
  })
}

const storedForm = /^\$argon2id\$v=19\$m=(\d{1,10}),t=(\d{1,10}),p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/

function readParams(stored: string): PasswordParams | null {
  const match = storedForm.exec(withoutPadding(stored))
  return match ? { memoryMib: Number(match[1]) / kib, operations: Number(match[2]) } : null
}

function withoutPadding(stored: string): string {
  const end = stored.indexOf('\0')
  return end === -1 ? stored : stored.slice(0, end)
}
