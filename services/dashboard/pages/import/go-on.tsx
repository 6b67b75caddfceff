import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../parts/controls/button.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { Ago, count } from '../../parts/display/text.tsx'
import { describeState } from './describe-state.ts'
import { FileProblem } from './file-problem.tsx'
import { type Reading, readHead } from './import-file.ts'
import { readingOf, type SavedImport } from './saved-import.ts'

type GoOnProps = { file: File; saved: SavedImport; onGoOn: (reading: Reading) => void; onAnew: () => void }

/** Asks whether to continue a stopped import when its file is chosen again. */
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
          ? 'The columns of this file differ from those of the stopped import.'
          : `The import of this file stopped after row ${count(row)}: ${describeState(saved.state)}. `}
        {reading && (
          <>
            It stopped <Ago at={saved.savedAt} />. If you continue within a day, no row is created twice.
          </>
        )}
      </Note>
      <div class="row">
        {reading && (
          <Button kind="primary" onPress={() => onGoOn(reading)}>
            Continue after row {count(row)}
          </Button>
        )}
        <Button onPress={onAnew}>Start over</Button>
      </div>
    </div>
  )
}
