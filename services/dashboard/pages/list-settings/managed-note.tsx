import { Link } from '../../parts/controls/button.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { setHereOnly } from './list-draft.ts'

/** Explains which document manages a list, and what happens to changes in the dashboard. */
export function ManagedNote({ scope }: { scope: string }) {
  return (
    <Note tone="accent">
      <b>
        Managed by <code>{scope}</code>: change it there.
      </b>{' '}
      The next sync of its document overwrites changes to fields that the document sets. No document sets{' '}
      {setHereOnly.join(', ')}. <Link to="/schema">Open the schema of the account</Link>
    </Note>
  )
}
