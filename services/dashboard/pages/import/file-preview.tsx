import type { List } from '#client/src/types/resources.ts'
import { arrayPointers, unclearPositions } from '#shared/domain/item-transfer/array-pointers.ts'
import { columnErrors } from '#shared/domain/item-transfer/columns.ts'
import type { FileFormat } from '#shared/domain/item-transfer/rows.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Choice, Switch } from '../../parts/controls/field.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { size } from '../../parts/display/text.tsx'
import { Skeleton } from '../../parts/problems/problem.tsx'
import { ColumnTable } from './column-table.tsx'
import { FileProblem } from './file-problem.tsx'
import type { Reading, Sample } from './import-file.ts'
import { SampleResult } from './sample-result.tsx'
import { useExamined, useSample } from './use-sample.ts'

type FilePreviewProps = {
  name: string
  list: List
  file: File
  onBegin: (reading: Reading) => void
  onAnother: () => void
}

const formats: readonly { value: FileFormat; label: string }[] = [
  { value: 'ndjson', label: 'NDJSON: one item per line' },
  { value: 'json', label: 'JSON: one array of items' },
  { value: 'csv', label: 'CSV: column names in the first line' },
]

/** A preview of a file: its first rows, how they are read, and which of them would be rejected. */
export function FilePreview({ name, list, file, onBegin, onAnother }: FilePreviewProps) {
  const { reading, sample, error, setFormat, setReading } = useSample(name, list, file)
  return (
    <>
      <div class="import">
        <h2>
          {file.name} <span class="muted">{size(file.size)}</span>
        </h2>
        <Choice
          label="Format"
          value={reading?.format ?? 'ndjson'}
          choices={formats}
          onValue={(format) => setFormat(format)}
        />
        {error !== null && <FileProblem error={error} />}
        {reading && sample ? (
          <Looked
            key={reading.format}
            name={name}
            schema={list.schema}
            reading={reading}
            sample={sample}
            onReading={setReading}
          />
        ) : (
          error === null && <Skeleton />
        )}
      </div>
      <footer class="foot">
        <span>{reading && sample && blockedBy(reading, sample)}</span>
        <div class="grow" />
        <Button kind="quiet" onPress={onAnother}>
          Another file
        </Button>
        <Button
          kind="primary"
          disabled={!reading || !sample || blockedBy(reading, sample) !== undefined}
          onPress={() => reading && onBegin(reading)}
        >
          Import items
        </Button>
      </footer>
    </>
  )
}

/** Why the import cannot start. */
function blockedBy({ format, columns }: Reading, { rows, records }: Sample): string | undefined {
  if (columnErrors(columns).length > 0) return 'Two columns conflict, or a pointer is not valid.'
  if (format === 'csv' && columns.every(({ pointer }) => pointer === null)) return 'No column is imported.'
  return rows.length + records.length === 0 ? 'The file has no rows.' : undefined
}

type LookedProps = {
  name: string
  schema: unknown
  reading: Reading
  sample: Sample
  onReading: (reading: Reading) => void
}

function Looked({ name, schema, reading, sample, onReading }: LookedProps) {
  const examined = useExamined(name, sample, reading)
  return (
    <>
      {reading.format === 'csv' && (
        <>
          <ColumnTable
            columns={reading.columns}
            records={sample.records}
            onColumns={(columns) => onReading({ ...reading, columns, arrays: arrayPointers(columns, schema) })}
          />
          {unclearPositions(reading.columns, { ...reading, schema }).map((sentence) => (
            <Note key={sentence} tone="warn">
              {sentence}
            </Note>
          ))}
          <Switch
            label="Import empty cells as null"
            help="Otherwise they are omitted from the data."
            on={reading.empty === 'null'}
            onChange={(on) => onReading({ ...reading, empty: on ? 'null' : 'omit' })}
          />
          <Switch
            label="Remove the apostrophe before formulas"
            help="For files exported with an apostrophe before formulas."
            on={reading.isGuarded}
            onChange={(isGuarded) => onReading({ ...reading, isGuarded })}
          />
        </>
      )}
      {examined && <SampleResult examined={examined} isAll={sample.isAll} columns={reading.columns} />}
    </>
  )
}
