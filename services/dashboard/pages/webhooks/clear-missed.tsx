import { useState } from 'preact/hooks'
import type { Webhook } from '#client/src/types/user-resources.ts'
import { account } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { refresh } from '../../api/reader.ts'
import { announce } from '../../parts/controls/announce.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { messageOf } from '../../parts/problems/problem.tsx'

/** Sets the count of missed events to 0, after the user has dealt with them. */
export function ClearMissed({ webhook: { id } }: { webhook: Webhook }) {
  const [busy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    await account.webhooks.clearMissed(id).then(
      () => announce('The missed events were cleared.'),
      (failure) => announce(messageOf(toListdError(failure)), { bad: true }),
    )
    setBusy(false)
    refresh('webhook')
  }
  return (
    <Button busy={busy} onPress={press}>
      Clear missed events
    </Button>
  )
}
