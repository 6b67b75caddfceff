import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Terminal } from '../terminal.ts'

/**
 * Reads a password: all of standard input without a final line break, or typed twice at a terminal without echo.
 * @throws Error with a sentence when there is neither
 */
export async function readPassword(terminal: Terminal, { fromStdin }: { fromStdin: boolean }): Promise<string> {
  if (fromStdin) return readAll(terminal)
  if (!terminal.stdin.isTTY) throw new Error('there is no terminal to prompt for the password; use --password-stdin.')
  return askTwice(terminal)
}

async function readAll({ stdin }: Terminal): Promise<string> {
  const password = (await text(stdin)).replace(/\r?\n$/, '')
  if (password === '') throw new Error('standard input is empty, where --password-stdin reads the password.')
  return password
}

async function askTwice({ stdin, stderr }: Terminal): Promise<string> {
  // `readline` turns off the terminal's own echo, and its output is discarded.
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: stdin, output: discard, terminal: true })
  async function ask(question: string): Promise<string> {
    stderr.write(question)
    const answer = await reader.question('')
    stderr.write('\n')
    return answer
  }
  try {
    const first = await ask('Password: ')
    if (first !== (await ask('Password again: '))) throw new Error('the two passwords differ.')
    return first
  } finally {
    reader.close()
  }
}
