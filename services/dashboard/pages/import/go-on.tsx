import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../parts/controls/button.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { Ago, count } from '../../parts/display/text.tsx'
import { describeState } from './describe-state.ts'
import { FileProblem } from './file-problem.tsx'
import { type Reading, readHead } from './import-file.ts'
import { readingOf, type SavedImport } from './saved-import.ts'

type GoOnProps = { file: File; saved: SavedImport; onGoOn: (reading: Reading) => void; onAnew: () => void }

/** Asks whether an import that ended too early goes on, when its file is chosen again. */
export function GoOn({ file, saved, onGoOn, onAnew }: GoOnProps) {
  const [reading, setReading] = useState<Reading | null>()
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    const head = saved.format === 'csv' ? readHead(file) : Promise.resolve({ header: [] })
    head.then(({ header }) => setReading(readingOf(saved, header)), setError)
  }, [])
  const { row } = saved.state
  return (
    <div class="import">
      <h2>{file.name}</h2>
      {error !== null && <FileProblem error={error} />}
      <Note icon="time" {...(reading === null ? { tone: 'warn' as const } : {})}>
        {reading === null
          ? 'This file has other columns than the one whose import ended too early.'
          : `The import of this file ended behind row ${count(row)}: ${describeState(saved.state)}. `}
        {reading && (
          <>
            It was <Ago at={saved.savedAt} />. Rows that were sent last are not created twice if you continue within a
            day.
          </>
        )}
      </Note>
      <div class="row">
        {reading && (
          <Button kind="primary" onPress={() => onGoOn(reading)}>
            Go on behind row {count(row)}
          </Button>
        )}
        <Button onPress={onAnew}>Begin anew</Button>
      </div>
    </div>
  )
}
