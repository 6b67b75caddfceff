import type { Client } from '#client/src/main.ts'
import { remoteVariables } from '#shared/config/sources/env-name.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withExplainedErrors } from '../answer-failure.ts'
import { connect } from '../connection.ts'
import { type ProfileOptions, withProfile } from '../sessions/with-profile.ts'

/**
 * Runs work that a user or a token may do: as the user of `--profile`; without it, with the API token of the environment; without a
 * token, as the user of the default profile.
 * @throws Error when no user has signed in; CommandFailed for a failed call
 */
export async function withClient<T>(
  terminal: Pick<Terminal, 'env'>,
  options: ProfileOptions,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  if (callsAsToken(terminal, options)) return await withExplainedErrors(() => work(connect(terminal)))
  return await withProfile(terminal, options, ({ client }) => work(client))
}

/** Whether `withClient` uses an API token. */
export function callsAsToken({ env }: Pick<Terminal, 'env'>, { profile }: ProfileOptions): boolean {
  return profile === undefined && Boolean(env[remoteVariables.token] || env[remoteVariables.tokenFile])
}
