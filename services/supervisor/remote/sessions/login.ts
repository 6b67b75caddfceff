import { createClient } from '#client/src/main.ts'
import { manage, type UserLogin } from '#client/src/manage.ts'
import { checkUrl } from '#shared/config/remote.ts'
import { remoteVariables } from '#shared/config/sources/env-name.ts'
import { printable } from '../../terminal/listing.ts'
import { readPassword } from '../../terminal/read-password.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { type Caller, withExplainedErrors } from '../answer-failure.ts'
import { isNearHost } from '../near-host.ts'
import { changeProfile, type Profile, profileName, profilesPath, readProfiles } from './profiles.ts'
import type { ProfileOptions } from './with-profile.ts'

export type LoginOptions = ProfileOptions & { email: string; url?: string; passwordStdin?: true }

/**
 * `listd login`: signs in and saves the session as a profile. The previous session of the profile is ended.
 * @throws CommandFailed when the server rejects it
 */
export async function loginCommand(terminal: Terminal, options: LoginOptions): Promise<void> {
  const { env } = terminal
  const name = profileName(env, options.profile)
  const path = profilesPath(env)
  const before = (await readProfiles(path)).get(name)
  const url = addressOf(terminal, options, before)
  if (isOverheard(url))
    say(terminal, `The password and the session are sent to ${url} unencrypted; use https to keep them secret.`)
  const password = await readPassword(terminal, { fromStdin: options.passwordStdin === true, isNew: false })
  const user = manage(createClient({ url }))
  const { login, auth } = await withExplainedErrors(() => user.auth.login({ email: options.email, password }), caller)
  try {
    await changeProfile(path, name, profileOf(url, login))
  } catch (error) {
    // Otherwise the session would remain without a profile.
    await auth.logout().catch(() => {})
    throw error
  }
  say(terminal, `Signed in to ${url} as ${login.user.email} until ${login.expiresAt}, as the profile "${name}".`)
  if (before) await endSession(before).catch(() => say(terminal, stillOpen(before)))
}

export type LogoutOptions = ProfileOptions & { force?: true }

/**
 * `listd logout`: ends the session of a profile and forgets the profile.
 * @throws CommandFailed when the session could not be ended; the profile is then kept. `force` removes it anyway, and reports the
 * open session instead
 */
export async function logoutCommand(terminal: Terminal, { profile: named, force }: LogoutOptions): Promise<void> {
  const name = profileName(terminal.env, named)
  const path = profilesPath(terminal.env)
  const profile = (await readProfiles(path)).get(name)
  if (!profile) throw new Error(`no user is signed in as the profile "${name}".`)
  const ended = withExplainedErrors(() => endSession(profile), caller)
  if (force) await ended.catch(() => say(terminal, stillOpen(profile)))
  else await ended
  await changeProfile(path, name, null)
  say(terminal, `Signed out ${profile.email} from ${profile.url}.`)
}

/** A profile signs in again at the same address. @throws Error with a sentence when there is no address */
function addressOf({ env }: Terminal, { url }: LoginOptions, before: Profile | undefined): string {
  const { url: variable } = remoteVariables
  if (url !== undefined) return checkUrl(url, '--url')
  if (before) return before.url
  const set = env[variable]
  if (set) return checkUrl(set, variable)
  throw new Error('--url is missing; it is the address of a listd, such as https://lists.example.com.')
}

function isOverheard(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !isNearHost(hostname)
}

const caller: Caller = {
  address: 'the address',
  sees: 'all',
  credential: 'The email or the password is wrong, or the user is disabled.',
}

function profileOf(url: string, { user: { email }, token: session, expiresAt }: UserLogin): Profile {
  return { url, email, session, expiresAt }
}

async function endSession({ url, session }: Profile): Promise<void> {
  await manage(createClient({ url, session, timeoutMs: 10_000 })).auth.logout()
}

function stillOpen({ url, email, expiresAt }: Profile): string {
  return `The session of ${email} at ${url} could not be ended there; it ends on its own at ${expiresAt}.`
}

function say({ stderr }: Terminal, sentence: string): void {
  stderr.write(`${printable(sentence)}\n`)
}
