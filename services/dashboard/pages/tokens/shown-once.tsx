import type { ApiTokenWithValue } from '../../../../client/src/user-resources.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/marks.tsx'

/** The value of a token, which no other answer has: it is in this dialog only, and goes with it. */
export function ShownOnce({ token, onClose }: { token: ApiTokenWithValue; onClose: () => void }) {
  const { name, value } = token
  const curl = `curl -H 'x-api-token: ${value}' \\\n  ${location.origin}/tokens/self`
  return (
    <Dialog title={`The value of ${name}`} onClose={onClose} stays>
      <div class="form">
        <Note tone="warn">Copy it now. It is shown this once, and listd keeps only a hash of it.</Note>
        <div class="row">
          <code class="grow value">{value}</code>
          <CopyButton text={value} what="The value">
            Copy
          </CopyButton>
        </div>
        <p>Whether it works, this tells:</p>
        <div class="card">
          <pre class="code in" tabIndex={0}>
            {curl}
          </pre>
        </div>
        <div class="ends">
          <CopyButton text={curl} what="The command">
            Copy the command
          </CopyButton>
          <Button kind="primary" onPress={onClose}>
            I have kept it
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
