import { createClient } from '#client/src/main.ts'
import { manage } from '#client/src/manage.ts'
import { behindWords } from '#shared/domain/webhook/behind-words.ts'
import { maxRows } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { profilesPath, readProfiles } from '../sessions/profiles.ts'

/**
 * Reports on standard error which webhooks are behind, after a command that causes many events. Only a user may see webhooks: without
 * a session for the called listd nothing is reported, and a failure here does not fail the command.
 */
export async function warnOfWebhooksBehind({ env, stderr }: Pick<Terminal, 'env' | 'stderr'>): Promise<void> {
  const profiles = await readProfiles(profilesPath(env)).catch(() => null)
  const profile = [...(profiles?.values() ?? [])].find(({ url }) => url === env.LISTD_URL)
  if (!profile) return
  const user = manage(createClient({ url: profile.url, session: profile.session, retries: 0, timeoutMs: 5_000 }))
  const webhooks = await user.webhooks
    .all()
    .toArray(maxRows)
    .catch(() => [])
  const words = behindWords(webhooks)
  if (words !== null) stderr.write(`Warning: ${words}\n`)
}
