import type { Client } from '#client/src/main.ts'
import { remoteVariables } from '#shared/config/sources/env-name.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withExplainedErrors } from '../answer-failure.ts'
import { connect } from '../connection.ts'
import { type ProfileOptions, withProfile } from '../sessions/with-profile.ts'

/**
 * Runs what a user or a token may call: as the user of `--profile`; without it with the API token of the environment; and where that has
 * none, as the user of the profile that is not named.
 * @throws Error when no user has signed in; CommandFailed for a call that failed
 */
export async function withClient<T>(
  terminal: Pick<Terminal, 'env'>,
  options: ProfileOptions,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  if (callsAsToken(terminal, options)) return await withExplainedErrors(() => work(connect(terminal)))
  return await withProfile(terminal, options, ({ client }) => work(client))
}

/** Whether `withClient` calls as an API token. */
export function callsAsToken({ env }: Pick<Terminal, 'env'>, { profile }: ProfileOptions): boolean {
  return profile === undefined && Boolean(env[remoteVariables.token] || env[remoteVariables.tokenFile])
}
