import { type Client, createClient } from '#client/src/main.ts'
import { readRemote } from '#shared/config/remote.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The listd and the token that the environment names. @throws Error with a sentence about what is missing */
export function connect({ env }: Pick<Terminal, 'env'>): Client {
  return createClient(readRemote(env))
}
