import { availableParallelism } from 'node:os'
import sodium from 'sodium-native'
import type { PasswordParams } from '#shared/crypto/password.ts'
import { monotonicMs } from '../clock.ts'
import { runProgram } from './run-program.ts'

export type HashingResult = { count: number; perSecond: number }

/** The yardstick of logins: only verifies one password repeatedly, as many at once as there are cores. */
runProgram<PasswordParams>(async ({ memoryMib, operations }) => {
  const password = Buffer.from('correct horse battery staple')
  const stored = Buffer.alloc(sodium.crypto_pwhash_STRBYTES)
  await sodium.crypto_pwhash_str_async(stored, password, operations, memoryMib * 1_048_576)

  async function keepVerifying(endsAt: number): Promise<number> {
    let count = 0
    for (; monotonicMs() < endsAt; count++) await sodium.crypto_pwhash_str_verify_async(stored, password)
    return count
  }

  return {
    ready: null,
    async answer({ seconds }: { seconds: number }): Promise<HashingResult> {
      const startedAt = monotonicMs()
      const endsAt = startedAt + seconds * 1_000
      const counts = await Promise.all(Array.from({ length: availableParallelism() }, () => keepVerifying(endsAt)))
      const count = counts.reduce((total, one) => total + one, 0)
      return { count, perSecond: (count / (monotonicMs() - startedAt)) * 1_000 }
    },
  }
})
