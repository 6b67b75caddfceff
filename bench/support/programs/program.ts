import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A separate process, so that it takes no time from the one that measures; both end together. */
export type Program<Ready> = {
  pid: number
  /** Its first answer, sent when it was ready. */
  ready: Ready
  /** Sends a message and waits for the answer; one at a time. */
  ask<Answer>(question: unknown): Promise<Answer>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a file of this folder that calls `runProgram`, and waits until it is ready.
 * @param init passed to it
 */
export async function startProgram<Ready>(file: string, init: unknown): Promise<Program<Ready>> {
  const child = fork(join(import.meta.dirname, file))
  const ended = once(child, 'exit')
  const gone = ended.then(() => {
    throw new Error(`${file} ended early`)
  })
  gone.catch(() => {})
  const ask = async <Answer>(question: unknown): Promise<Answer> => {
    const answered = once(child, 'message')
    child.send({ question })
    const [message] = await Promise.race([answered, gone])
    return (message as { answer: Answer }).answer
  }
  return {
    pid: child.pid ?? 0,
    ready: await ask<Ready>(init),
    ask,
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}
