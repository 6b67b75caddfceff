import { type CellType, cellTypes } from '#shared/domain/item-transfer/cell.ts'
import { type Column, columnErrors } from '#shared/domain/item-transfer/columns.ts'
import type { BrokenRecord, CsvRecord } from '#shared/domain/item-transfer/record.ts'
import { Button } from '../../parts/controls/button.tsx'

type ColumnTableProps = {
  columns: readonly Column[]
  /** The first records of the file. */
  records: readonly (CsvRecord | BrokenRecord)[]
  onColumns: (columns: Column[]) => void
}

/** The number of values that are shown for a column. */
const mostValues = 3

const typeLabels: Readonly<Record<CellType, string>> = {
  text: 'text',
  number: 'number',
  boolean: 'true or false',
  date: 'date',
  json: 'JSON',
}

/** The target pointer and the type of each column of a CSV file. */
export function ColumnTable({ columns, records, onColumns }: ColumnTableProps) {
  const errors = new Map(columnErrors(columns).map(({ column, message }) => [column, message]))
  return (
    <section>
      <h3>Columns</h3>
      <p class="muted">
        A pointer, for example /title, is the place of the values in the data. Columns without a pointer are not
        imported.
      </p>
      <table class="table columns">
        <thead>
          <tr>
            <th>column</th>
            <th>first values</th>
            <th>pointer</th>
            <th>read as</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column, n) => (
            <ColumnRow
              key={n}
              column={column}
              position={n + 1}
              values={valuesOf(records, n)}
              error={errors.get(n)}
              onColumn={(changed) => onColumns(columns.with(n, changed))}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function valuesOf(records: ColumnTableProps['records'], column: number): string[] {
  const cells = records.flatMap((record) => ('fields' in record ? (record.fields[column] ?? []) : []))
  return cells.filter((cell) => cell !== '').slice(0, mostValues)
}

type ColumnRowProps = {
  column: Column
  /** From 1. */
  position: number
  values: string[]
  error: string | undefined
  onColumn: (column: Column) => void
}

function ColumnRow({ column, position, values, error, onColumn }: ColumnRowProps) {
  const { name, pointer, type, isUndecided } = column
  const shown = name || `${position} (unnamed)`
  return (
    <tr class={pointer === null ? 'muted' : undefined}>
      <td class="lead">{shown}</td>
      <td class="muted values">{values.join(' · ') || '–'}</td>
      <td>
        <input
          class="input mono"
          aria-label={`Pointer of the column ${shown}`}
          aria-invalid={error !== undefined || undefined}
          placeholder={isUndecided ? 'must be empty' : 'not imported'}
          spellcheck={false}
          value={pointer ?? ''}
          onInput={({ currentTarget }) => onColumn({ name, type, pointer: currentTarget.value || null })}
        />
        {isUndecided && (
          <Button kind="quiet" onPress={() => onColumn({ name, type, pointer: null })}>
            Do not import
          </Button>
        )}
        {error !== undefined && <small class="problem">{error}</small>}
      </td>
      <td>
        <select
          class="input"
          aria-label={`Type of the column ${shown}`}
          disabled={pointer === null}
          onChange={({ currentTarget }) => onColumn({ ...column, type: currentTarget.value as CellType })}
        >
          {cellTypes.map((one) => (
            <option key={one} value={one} selected={one === type}>
              {typeLabels[one]}
            </option>
          ))}
        </select>
      </td>
    </tr>
  )
}
