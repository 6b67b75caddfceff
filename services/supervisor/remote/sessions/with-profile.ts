import { type Client, createClient } from '#client/src/main.ts'
import { type Manager, manage } from '#client/src/manage.ts'
import { shellWord } from '../../terminal/shell-word.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { type Caller, withExplainedErrors } from '../answer-failure.ts'
import { type Profile, profileName, profilesPath, readProfiles } from './profiles.ts'

/** The options of every command of a signed-in user. */
export type ProfileOptions = { profile?: string }

/** Calls of a signed-in user, and the listd that they go to. */
export type SignedInUser = Manager<Client> & { url: string }

/**
 * Runs work as a signed-in user.
 * @throws Error when no user has signed in; CommandFailed for a failed call. If the session has ended, the message has the command
 * that starts another
 */
export async function withProfile<T>(
  { env }: Pick<Terminal, 'env'>,
  options: ProfileOptions,
  work: (user: SignedInUser) => Promise<T>,
): Promise<T> {
  const name = profileName(env, options.profile)
  const profiles = await readProfiles(profilesPath(env))
  const profile = profiles.get(name)
  if (!profile) throw new Error(notSignedIn(name, [...profiles.keys()]))
  const { url, session } = profile
  const user = { ...manage(createClient({ url, session })), url }
  return await withExplainedErrors(() => work(user), callerOf(name, profile))
}

/** How advice about a failed call names a profile. */
function callerOf(name: string, { email, url }: Profile): Caller {
  const command = `listd login --email ${shellWord(email)}${name === 'default' ? '' : ` --profile ${name}`}`
  return {
    sees: 'all',
    address: `the address of the profile "${name}"`,
    credential: `The session of ${email} at ${url} has ended; "${command}" starts another.`,
  }
}

function notSignedIn(name: string, others: readonly string[]): string {
  const known = others.length === 0 ? '' : ` Profiles are: ${others.join(', ')}.`
  const option = name === 'default' ? '' : ` --profile ${name}`
  const command = `listd login --email you@example.com --url https://lists.example.com${option}`
  return `no user is signed in as the profile "${name}"; run "${command}".${known}`
}
