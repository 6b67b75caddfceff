import { useState } from 'preact/hooks'
import type { Webhook } from '#client/src/types/user-resources.ts'
import { account } from '../../api/client.ts'
import { refresh } from '../../api/reader.ts'
import { useResource } from '../../api/resource.ts'
import { Agree } from '../../forms/form-dialog.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { At } from '../../parts/display/text.tsx'
import { ShownSecret } from './shown-secret.tsx'

/** How long both secrets sign after a replacement, in milliseconds. */
const bothMs = 24 * 3_600_000
const mostEvents = 20

/** The button to replace the signing secret, and the time until which the old one still signs. */
export function SecretSection({ webhook: { id } }: { webhook: Webhook }) {
  const [asks, setAsks] = useState(false)
  const [secret, setSecret] = useState<string>()
  const replaced = useResource(`webhook ${id} secret`, (signal) => readReplaced(id, signal))
  const until = replaced.data === undefined ? 0 : Date.parse(replaced.data) + bothMs
  const replace = async () => {
    const answer = await account.webhooks.replaceSecret(id)
    setSecret(answer.secret)
    setAsks(false)
    refresh(`webhook ${id}`)
  }
  return (
    <section class="form" aria-label="Signing secret">
      <h2>Signing secret</h2>
      <p class="muted">It signs every delivery. It is shown once, when it is created.</p>
      {until > Date.now() && (
        <Note icon="time">
          The header webhook-signature also has the signature of the old secret until{' '}
          <At at={new Date(until).toISOString()} />.
        </Note>
      )}
      <div>
        <Button onPress={() => setAsks(true)}>Replace the secret…</Button>
      </div>
      {asks && (
        <Agree title="Replace the signing secret?" action="Replace it" onAgree={replace} onClose={() => setAsks(false)}>
          <p>
            Waiting deliveries are also signed with the new secret. For 24 hours, webhook-signature has both signatures,
            so you have time to update the receiver. x-service-signature has only the new one, immediately.
          </p>
        </Agree>
      )}
      {secret !== undefined && <ShownSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </section>
  )
}

/** When the secret was last replaced, if the newest events contain it. */
async function readReplaced(id: string, signal: AbortSignal): Promise<string | undefined> {
  const where = { stream: 'webhook', type: 'webhook-secret-replaced' }
  const { data } = await account.events({ where, limit: mostEvents, signal }).after()
  return data.find(({ modelId }) => modelId === id)?.createdAt
}
