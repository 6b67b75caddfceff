import { useEffect, useState } from 'preact/hooks'
import type { List } from '#client/src/types/resources.ts'
import { readerOfPage } from '../../api/session.ts'
import { Note } from '../../parts/display/marks.tsx'
import { ListPage } from '../lists/list-page.tsx'
import { ChooseFile } from './choose-file.tsx'
import { FilePreview } from './file-preview.tsx'
import { GoOn } from './go-on.tsx'
import type { Reading } from './import-file.ts'
import { ImportRun } from './import-run.ts'
import { RunningImport } from './running-import.tsx'
import { forgetImport, isOfFile, readSavedImport, type SavedImport } from './saved-import.ts'

/** Imports the rows of a file as items, in steps: choose a file, preview it, import it. */
export function ImportPage({ list: name }: { list: string }) {
  return (
    <ListPage list={name} part="Items">
      {(list) => <Import key={list.id} name={name} list={list} />}
    </ListPage>
  )
}

type Part = { name: string; list: List }

function Import({ name, list }: Part) {
  const place = { listId: list.id, userId: readerOfPage() }
  const [file, setFile] = useState<File | null>(null)
  const [saved, setSaved] = useState<SavedImport | null>(() => readSavedImport(place))
  const [run, setRun] = useState<ImportRun | null>(null)
  useEffect(() => () => run?.stop(), [run])
  const begin = (chosen: File, reading: Reading, from: SavedImport | null) => {
    const begun = new ImportRun({ name, list, file: chosen, reading, saved: from })
    setRun(begun)
    void begun.run()
  }
  const another = () => {
    setRun(null)
    setFile(null)
    setSaved(readSavedImport(place))
  }
  const forget = () => {
    forgetImport(place)
    setSaved(null)
  }
  if (list.readonly) return <Closed />
  if (run) return <RunningImport run={run} onAnother={another} />
  if (file && saved && isOfFile(saved, file)) {
    return <GoOn file={file} saved={saved} onGoOn={(reading) => begin(file, reading, saved)} onAnew={forget} />
  }
  if (file) {
    return (
      <FilePreview
        key={`${file.name} ${file.lastModified}`}
        name={name}
        list={list}
        file={file}
        onBegin={(reading) => begin(file, reading, null)}
        onAnother={another}
      />
    )
  }
  return <ChooseFile list={name} saved={saved} onChoose={setFile} onForget={forget} />
}

function Closed() {
  return (
    <div class="pad">
      <Note tone="warn" icon="lock">
        The list is read-only. To import items, switch that off in its settings.
      </Note>
    </div>
  )
}
