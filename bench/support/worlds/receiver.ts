import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Certificate, makeAuthority } from '../../../test/support/receivers/certificate.ts'
import { temporaryFolder } from '../cleared.ts'
import { until } from '../clock.ts'
import { type Program, startProgram } from '../programs/program.ts'

/** A received event: the `mark` in the item's data, and when its last byte arrived, on the clock of `monotonicMs`. */
export type Receipt = { mark: string; at: number }

export type Receiver = {
  origin: string
  /** PEM text of the authority, and the file it is in. */
  ca: string
  caFile: string
  /** A certificate for one more server, of the same authority. */
  issue(): Certificate
  /** Waits for this many events since the last call. @returns them */
  take(count: number, withinMs?: number): Promise<Receipt[]>
  /** Discards everything received so far. */
  forget(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A customer's HTTPS server in a separate process, which answers 204 at once. */
export async function startReceiver(): Promise<Receiver> {
  const folder = await temporaryFolder('receiver')
  const authority = makeAuthority()
  const caFile = join(folder.path, 'ca.pem')
  await writeFile(caFile, authority.cert)
  const program = await startProgram<{ port: number }>('receiver-process.ts', authority.issue())
  return {
    origin: `https://127.0.0.1:${program.ready.port}`,
    ca: authority.cert,
    caFile,
    issue: authority.issue,
    take: (count, withinMs) => take(program, count, withinMs),
    async forget() {
      await program.ask<Receipt[]>('take')
    },
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

async function take(program: Program<unknown>, count: number, withinMs = 60_000): Promise<Receipt[]> {
  const what = `${count} receipts`
  await until(async () => (await program.ask<number>('count')) >= count, { what, withinMs })
  return program.ask<Receipt[]>('take')
}
