import { useState } from 'preact/hooks'
import { FormDialog } from '#services/dashboard/forms/form-dialog.tsx'
import { TextField } from '#services/dashboard/parts/controls/field.tsx'
import type { DrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'
import { cannotRename } from '#shared/domain/flow/edit/rename-node.ts'

type RenameDialogProps = { flow: DrawnFlow; id: string; onRename: (to: string) => void; onClose: () => void }

const noSaving = { busy: false, problems: new Map(), other: undefined }

/** Renames a node everywhere in the flow and its tests. */
export function RenameDialog({ flow, id, onRename, onClose }: RenameDialogProps) {
  const [to, setTo] = useState(id)
  const problem = cannotRename(flow, { from: id, to })
  return (
    <FormDialog
      title={`Rename ${id}`}
      action="Rename"
      saving={noSaving}
      disabled={problem !== null}
      onSend={() => problem === null && onRename(to)}
      onClose={onClose}
    >
      <TextField
        label="Name of the node"
        help={`This also changes its edges, the expressions that read steps.${id}, and the tests.`}
        problem={problem ?? undefined}
        value={to}
        onValue={setTo}
        mono
        autofocus
        autocomplete="off"
      />
    </FormDialog>
  )
}
