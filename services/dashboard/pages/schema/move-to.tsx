import { useState } from 'preact/hooks'
import { Button } from '../../parts/controls/button.tsx'
import { Choice, TextField } from '../../parts/controls/field.tsx'
import { Dialog } from '../../parts/dialogs/dialog.tsx'
import { countOf } from '../../parts/display/text.tsx'
import { type Move, MoveDialog } from './move-dialog.tsx'

/** The lists to move: by id, or all lists of a scope. */
export type Moved = { lists: string[] } | { fromScope: string }

type MoveToProps = { what: Moved; onMoved: () => void; onClose: () => void }

const kinds = [
  { value: 'scope', label: 'A scope' },
  { value: 'none', label: 'No scope' },
] as const

/** Asks for the new scope of lists, and then shows the effects of the move. */
export function MoveTo({ what, onMoved, onClose }: MoveToProps) {
  const [kind, setKind] = useState<(typeof kinds)[number]['value']>('scope')
  const [scope, setScope] = useState('')
  const [move, setMove] = useState<Move>()
  if (move) return <MoveDialog what={move} onMoved={onMoved} onClose={onClose} />
  const whose = 'lists' in what ? countOf(what.lists.length, 'list') : `all lists of ${what.fromScope}`
  const ask = (event: Event) => {
    event.preventDefault()
    setMove({ ...what, scope: kind === 'none' ? null : scope.trim() })
  }
  return (
    <Dialog title={`Move ${whose}`} onClose={onClose}>
      <form class="form" onSubmit={ask}>
        <Choice label="Move to" value={kind} onValue={setKind} choices={kinds} />
        {kind === 'scope' && (
          <TextField
            label="Scope"
            help="1 to 50 letters, digits, hyphens or underscores, as the documents of the application name it."
            value={scope}
            onValue={setScope}
            autocomplete="off"
            autofocus
            required
            mono
          />
        )}
        <div class="ends">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" sends>
            Show what moves
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
