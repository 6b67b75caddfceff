import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Terminal } from './terminal.ts'

/**
 * Reads a password: all of standard input without a final line break, or typed at a terminal without echo.
 * @param from.isNew it must be typed twice
 * @throws Error with a sentence when there is neither
 */
export async function readPassword(
  terminal: Terminal,
  { fromStdin, isNew }: { fromStdin: boolean; isNew: boolean },
): Promise<string> {
  if (fromStdin) return readAll(terminal)
  if (!terminal.stdin.isTTY) throw new Error('there is no terminal to prompt for the password; use --password-stdin.')
  return ask(terminal, isNew)
}

async function readAll({ stdin }: Terminal): Promise<string> {
  const password = (await text(stdin)).replace(/\r?\n$/, '')
  if (password === '') throw new Error('standard input is empty; --password-stdin reads the password from it.')
  return password
}

async function ask({ stdin, stderr }: Terminal, isNew: boolean): Promise<string> {
  // `readline` turns off the terminal's own echo, and its output is discarded.
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: stdin, output: discard, terminal: true })
  async function answer(question: string): Promise<string> {
    stderr.write(question)
    const typed = await reader.question('')
    stderr.write('\n')
    return typed
  }
  try {
    const password = await answer('Password: ')
    if (isNew && password !== (await answer('Password again: '))) throw new Error('the two passwords differ.')
    return password
  } finally {
    reader.close()
  }
}
