import { createInterface } from 'node:readline'
import { CommandFailed, exitCodes } from './command-failed.ts'
import type { Terminal } from './terminal.ts'

/**
 * Asks at the terminal for an answer that a person would not type without reading the question.
 * @throws CommandFailed without a terminal, and for any other answer
 */
export async function confirm({ stdin, stderr }: Terminal, question: string, expected: string): Promise<void> {
  if (!stdin.isTTY) {
    const sentence = 'There is no terminal to ask for confirmation, so nothing was changed; add --yes to go ahead.'
    throw new CommandFailed(sentence, exitCodes.confirmationNeeded)
  }
  stderr.write(`${question} Type ${expected} to go ahead: `)
  if ((await readLine(stdin)) === expected) return
  throw new CommandFailed(`The answer was not ${expected}; nothing was changed.`, exitCodes.confirmationNeeded)
}

/** The next line, trimmed; empty when there is none. */
async function readLine(stdin: Terminal['stdin']): Promise<string> {
  const reader = createInterface({ input: stdin })
  try {
    for await (const line of reader) return line.trim()
    return ''
  } finally {
    reader.close()
  }
}
