import { useState } from 'preact/hooks'
import { Button } from '../../parts/controls/button.tsx'
import { Icon } from '../../parts/controls/icon.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { Ago, count } from '../../parts/display/text.tsx'
import type { SavedImport } from './saved-import.ts'

type ChooseFileProps = {
  list: string
  /** An import that was stopped. */
  saved: SavedImport | null
  onChoose: (file: File) => void
  onForget: () => void
}

/** Lets the user drop or choose a file. */
export function ChooseFile({ list, saved, onChoose, onForget }: ChooseFileProps) {
  const [isOver, setIsOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const file = event.dataTransfer?.files[0]
    if (file) onChoose(file)
  }
  return (
    <div class="import">
      <h2>Import items</h2>
      {saved && <Stopped saved={saved} onForget={onForget} />}
      <label class={isOver ? 'drop over' : 'drop'} onDragOver={over} onDragLeave={() => setIsOver(false)} onDrop={drop}>
        <Icon name="import" />
        <b>Drop a file here or choose one</b>
        <span class="muted">
          NDJSON, a JSON array, or CSV, in UTF-8. You see a preview before anything is imported.
        </span>
        <input
          class="unseen"
          type="file"
          aria-label="File to import"
          accept=".ndjson,.jsonl,.json,.csv,.tsv,application/json,text/csv"
          onChange={({ currentTarget }) => currentTarget.files?.[0] && onChoose(currentTarget.files[0])}
        />
      </label>
      <p class="muted small">
        Or on the command line, for files of any size: <code>listd items import recipes.csv --list {list}</code>
      </p>
    </div>
  )
}

function Stopped({ saved: { file, state, savedAt }, onForget }: { saved: SavedImport; onForget: () => void }) {
  return (
    <Note icon="time">
      The import of <b>{file.name}</b> stopped after row {count(state.row)}, <Ago at={savedAt} />. Choose the same file
      to continue.
      <div class="row">
        <Button kind="quiet" onPress={onForget}>
          Forget import
        </Button>
      </div>
    </Note>
  )
}
