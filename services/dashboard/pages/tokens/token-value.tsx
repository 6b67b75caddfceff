import type { ApiTokenWithValue } from '#client/src/types/user-resources.ts'
import { CopyButton } from '../../parts/controls/copy.tsx'
import { ShownOnce } from '../../parts/dialogs/shown-once.tsx'

/** The value of a token, with a command to test it. */
export function TokenValue({ token: { name, value }, onClose }: { token: ApiTokenWithValue; onClose: () => void }) {
  const curl = `curl -H 'x-api-token: ${value}' \\\n  ${location.origin}/tokens/self`
  return (
    <ShownOnce
      title={`The value of ${name}`}
      what="The value"
      value={value}
      note="Copy it now. It is shown only once: listd keeps only a hash of it."
      onClose={onClose}
      actions={
        <CopyButton text={curl} what="The command">
          Copy the command
        </CopyButton>
      }
    >
      <p>Test it:</p>
      <div class="card">
        <pre class="code in" tabIndex={0}>
          {curl}
        </pre>
      </div>
    </ShownOnce>
  )
}
