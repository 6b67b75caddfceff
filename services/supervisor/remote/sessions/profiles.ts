import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { remoteVariables } from '#shared/config/sources/env-name.ts'
import type { Env } from '#shared/config/sources/from-env.ts'
import { createFolder } from '#shared/files/create-folder.ts'
import { isObject } from '#shared/json/is-object.ts'
import { withFileLock } from '../../file-lock.ts'
import { readIfExists } from '../../private-file.ts'
import { replaceFileBy } from '../../replace-file.ts'
import { formatJson } from '../../terminal/listing.ts'

/** Who is signed in where: the session, and its latest end as an ISO 8601 text. */
export type Profile = { url: string; email: string; session: string; expiresAt: string }

/** Profiles by their names. */
export type Profiles = ReadonlyMap<string, Profile>

/** Where the profiles of this person are kept, by the rules of the XDG Base Directory Specification. */
export function profilesPath(env: Env): string {
  const { XDG_CONFIG_HOME: given = '', HOME: home = homedir() } = env
  // The specification requires ignoring a relative path.
  return join(isAbsolute(given) ? given : join(home, '.config'), 'listd', 'profiles.json')
}

/** The profile that a command uses. @throws Error for a name that could not be pasted into a command */
export function profileName(env: Env, named: string | undefined): string {
  const name = named ?? (env[remoteVariables.profile] || 'default')
  if (/^\w[\w.-]{0,49}$/.test(name)) return name
  const givenBy = named === undefined ? remoteVariables.profile : '--profile'
  throw new Error(`${givenBy} must be a name of at most 50 letters, digits, dots, hyphens and underscores.`)
}

/** The profiles in a file; empty when the file does not exist. @throws Error for a file that holds something else */
export async function readProfiles(path: string): Promise<Profiles> {
  const text = await readIfExists(path)
  return text === null ? new Map() : parseProfiles(text, path)
}

/** @param path of the file with the text. @throws Error with a sentence that shows nothing of the text */
export function parseProfiles(text: string, path: string): Profiles {
  const content = parse(text)
  const profiles = isObject(content) && isObject(content.profiles) ? Object.entries(content.profiles) : null
  if (profiles?.every(isNamedProfile)) return new Map(profiles)
  throw new Error(`${path} does not contain the profiles of "listd login"; delete it, and sign in again.`)
}

/**
 * Changes one profile, without touching those that other commands change at the same time.
 * @param profile null: removes the profile
 * @throws Error for a file that holds something else
 */
export async function changeProfile(path: string, name: string, profile: Profile | null): Promise<void> {
  await createFolder(dirname(path))
  await withFileLock(`${path}.lock`, async () => {
    const profiles = new Map(await readProfiles(path))
    if (profile) profiles.set(name, profile)
    else profiles.delete(name)
    await writeProfiles(path, profiles)
  })
}

/** Replaces the file as a whole; only this person may read it. */
async function writeProfiles(path: string, profiles: Profiles): Promise<void> {
  await replaceFileBy(path, async (file) => {
    await file.chmod(0o600)
    await file.writeFile(formatJson({ profiles: Object.fromEntries(profiles) }))
    await file.sync()
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isNamedProfile(entry: [string, unknown]): entry is [string, Profile] {
  const [, profile] = entry
  if (!isObject(profile)) return false
  const { url, email, session, expiresAt } = profile
  // A header with other characters would be rejected with an error that shows them.
  return [url, email, expiresAt].every(isText) && isText(session) && /^[\x21-\x7e]+$/.test(session)
}

const isText = (value: unknown): value is string => typeof value === 'string'
