import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { databaseSettings } from '../databases/database.ts'
import type { Teardown } from '../test-context/teardown.ts'

/** A separate process of a test on a database; it ends with the test. */
export type TestProgram = {
  /** Sends a message and waits for the answer; one at a time. Rejects if the process ends instead. */
  ask<Answer>(message: object | string): Promise<Answer>
  /** Ends it immediately, regardless of its work. */
  kill(): Promise<void>
}

/** Starts a file of this folder, with the URL of the database and its data directory as arguments; resolves with its first message. */
export async function startTestProgram(t: Teardown, file: string, dataDir: string): Promise<TestProgram> {
  const { LISTD_DATABASE_URL: url = '' } = databaseSettings(dataDir)
  const child = fork(join(import.meta.dirname, file), [url, dataDir])
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`${file} ended with ${code}`)
  })
  t.teardown(async () => {
    if (child.connected) child.disconnect()
    await ended.catch(() => {})
  })
  const said = async () => (await Promise.race([once(child, 'message'), ended]))[0]
  await said()
  return {
    async ask<Answer>(message: object | string) {
      const answer = said()
      child.send(message)
      return (await answer) as Answer
    },
    async kill() {
      child.kill('SIGKILL')
      await ended.catch(() => {})
    },
  }
}
