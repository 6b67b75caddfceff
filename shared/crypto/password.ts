import { availableParallelism } from 'node:os'
import PQueue from 'p-queue'
import sodium from 'sodium-native'
import { normalPassword } from '#shared/domain/identity/password.ts'
import { passwordCost } from '#shared/domain/limits.ts'
import { unavailable, validationFailed } from '#shared/errors.ts'

/** The cost of one hash; operations are passes over the memory. */
export type PasswordParams = { memoryMib: number; operations: number }

const kib = 1024
const storedBytes = sodium.crypto_pwhash_STRBYTES

/**
 * Argon2id of a new password, as text that contains its parameters and salt.
 * @param options.startBefore epoch milliseconds after which the requester no longer waits
 * @throws VALIDATION_FAILED for an empty or ill-formed text, SERVICE_UNAVAILABLE when too many hashes wait or it could not
 * start before `startBefore`, RangeError for parameters so high that the hash could not be verified
 */
export async function hashPassword(
  text: string,
  params: PasswordParams,
  options: { startBefore?: number } = {},
): Promise<string> {
  if (text === '' || !text.isWellFormed()) {
    throw validationFailed([{ path: 'password', message: 'is empty or not well-formed Unicode' }])
  }
  if (!isWithinLimits(params)) {
    const { maxMemoryMib, maxOperations } = passwordCost
    throw new RangeError(
      `passwords.memoryMib must be at most ${maxMemoryMib} and passwords.operations at most ${maxOperations}.`,
    )
  }
  const password = Buffer.from(normalPassword(text))
  const stored = Buffer.alloc(storedBytes)
  const { operations, memoryMib } = params
  await runQueued(
    () => sodium.crypto_pwhash_str_async(stored, password, operations, memoryMib * kib * kib),
    options.startBefore,
  )
  return withoutPadding(stored.toString('latin1'))
}

/**
 * Whether `text` is the stored password. Verification uses the parameters in the stored text, so a text of another form, or one that costs
 * more than `passwordCost` allows, is false without hashing. An empty or ill-formed text costs as much as any wrong one.
 * @param stored null: there is no password, and none matches
 * @param options.cost the total cost of the call, regardless of what is stored: a cheaper hash, or none, is followed by a dummy for the
 * rest
 * @param options.startBefore epoch milliseconds after which the requester no longer waits
 * @throws SERVICE_UNAVAILABLE when too many hashes wait or it could not start before `startBefore`
 */
export async function verifyPassword(
  stored: string | null,
  text: string,
  options: { cost?: PasswordParams; startBefore?: number } = {},
): Promise<boolean> {
  const params = stored === null ? null : verifiableParams(stored)
  const dummy = options.cost ? dummyForRest(options.cost, params) : null
  const hashes = [params ? stored : null, dummy].filter((hash) => hash !== null)
  if (hashes.length === 0) return false
  const acceptable = text !== '' && text.isWellFormed()
  const password = Buffer.from(acceptable ? normalPassword(text) : '\0')
  const matches = await runQueued(() => matchesAny(hashes, password), options.startBefore)
  return matches && acceptable
}

/** Verifies against all of the hashes, so that the time does not depend on which one matches. */
async function matchesAny(hashes: readonly string[], password: Buffer): Promise<boolean> {
  let matches = false
  for (const hash of hashes) {
    // sodium expects exactly 128 bytes, the text padded with zeros.
    const padded = Buffer.alloc(storedBytes)
    padded.write(withoutPadding(hash), 'latin1')
    matches = (await sodium.crypto_pwhash_str_verify_async(padded, password)) || matches
  }
  return matches
}

/** Whether the text is an Argon2id hash whose cost is within the limits; anything else must never reach sodium. */
export function isVerifiable(stored: string): boolean {
  return verifiableParams(stored) !== null
}

function verifiableParams(stored: string): PasswordParams | null {
  const params = readParams(stored)
  return params && isWithinLimits(params) ? params : null
}

function isWithinLimits({ memoryMib, operations }: PasswordParams): boolean {
  return memoryMib <= passwordCost.maxMemoryMib && operations <= passwordCost.maxOperations
}

/**
 * Whether a password that was just verified should be hashed again: only if the stored hash is weaker in one parameter and
 * stronger in none, so that a lower configuration never weakens stored hashes.
 */
export function needsUpgrade(stored: string, params: PasswordParams): boolean {
  const old = readParams(stored)
  if (!old || old.memoryMib > params.memoryMib || old.operations > params.operations) return false
  return old.memoryMib < params.memoryMib || old.operations < params.operations
}

/** The parameters of the stored hash, if it can be verified and costs more than these; otherwise these. */
export function costlier(params: PasswordParams, stored: string): PasswordParams {
  const other = verifiableParams(stored)
  return other && workOf(other) > workOf(params) ? other : params
}

/** The memory that a hash passes over, in KiB, which its time is proportional to. */
function workOf({ memoryMib, operations }: PasswordParams): number {
  return memoryMib * kib * operations
}

/** A hash that no password matches, for the remaining cost after verifying the other hash; null: none remains. */
function dummyForRest(cost: PasswordParams, other: PasswordParams | null): string | null {
  const rest = workOf(cost) - (other ? workOf(other) : 0)
  const memoryKib = Math.floor(rest / cost.operations)
  if (memoryKib < minMemoryKib) return null
  return `$argon2id$v=19$m=${memoryKib},t=${cost.operations},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`
}

/** Argon2 knows no smaller memory. */
const minMemoryKib = 8

/** Called before anything is counted or read for a hash. @throws SERVICE_UNAVAILABLE when too many hashes wait */
export function assertHashingCapacity(): void {
  if (hashing.size >= maxWaiting) throw unavailable('too many passwords wait to be hashed')
}

/** The number of hashes that run at once, each in a thread. More than the number of cores would only use more memory. */
export const hashesAtOnce = availableParallelism()
const maxWaiting = 32 * hashesAtOnce
const hashing = new PQueue({ concurrency: hashesAtOnce })

async function runQueued<T>(work: () => Promise<T>, startBefore = Number.POSITIVE_INFINITY): Promise<T> {
  assertHashingCapacity()
  return hashing.add(() => {
    if (Date.now() > startBefore) throw unavailable('a password waited too long to be hashed')
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
