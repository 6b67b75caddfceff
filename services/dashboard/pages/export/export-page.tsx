import { useEffect, useRef, useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import type { List } from '#client/src/types/resources.ts'
import {
  defaultColumns,
  type ExportFormat,
  parseExportColumn,
  readItemPage,
} from '#shared/domain/item-transfer/export.ts'
import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { toListdError } from '../../api/errors.ts'
import { itemsIn } from '../../api/items-in.ts'
import { useResource } from '../../api/resource.ts'
import { Form } from '../../forms/form.tsx'
import { announce } from '../../parts/controls/announce.tsx'
import { Button, Link } from '../../parts/controls/button.tsx'
import { Choice, Switch, TextField } from '../../parts/controls/field.tsx'
import { Note, Pill } from '../../parts/display/marks.tsx'
import { count, countOf } from '../../parts/display/text.tsx'
import { openFile } from '../../parts/open-file.ts'
import { Loaded, Problem } from '../../parts/problems/problem.tsx'
import { ListPage } from '../lists/list-page.tsx'
import { askForPage, exportItems, readFilters } from './export-items.ts'

/** Exports the items of a list, or those that match the filters in the address, to a file. */
export function ExportPage({ list: name }: { list: string }) {
  return (
    <ListPage list={name} part="Items">
      {(list) => <Begin name={name} list={list} />}
    </ListPage>
  )
}

type Part = { name: string; list: List }

/** Reads the first items: they provide the default columns, and show whether the filters are valid. */
function Begin({ name, list }: Part) {
  const query = readFilters(here.value.query)
  const first = useResource(`export ${name} ${JSON.stringify(query)}`, (signal) =>
    askForPage({ list: name, query }, 100, signal)(''),
  )
  return (
    <div class="import">
      <h2>Export items</h2>
      <Filters name={name} list={list} query={query} />
      <Loaded resource={first}>
        {(page) => <ExportForm key={JSON.stringify(query)} list={list} query={query} page={page} />}
      </Loaded>
    </div>
  )
}

function Filters({ name, list, query }: Part & { query: Record<string, string[]> }) {
  const filters = Object.entries(query).filter(([parameter]) => !/^(order|direction)$/.test(parameter))
  if (filters.length === 0) return <p>All {countOf(itemsIn(list), 'item')} of the list.</p>
  return (
    <p class="row">
      Items with
      {filters.flatMap(([parameter, values]) =>
        values.map((value) => (
          <Pill key={`${parameter} ${value}`} mono>
            {parameter} {value}
          </Pill>
        )),
      )}
      <Link to={route`/lists/${name}/export`}>Export all</Link>
    </p>
  )
}

const formats: readonly { value: ExportFormat; label: string }[] = [
  { value: 'ndjson', label: 'NDJSON: one item per line, data only' },
  { value: 'items', label: 'NDJSON: one item per line, all fields' },
  { value: 'csv', label: 'CSV: columns' },
]

type ExportFormProps = { list: List; query: Record<string, string[]>; page: string }

function ExportForm({ list, query, page }: ExportFormProps) {
  const asked = here.value.query.get('format')
  const format = formats.find(({ value }) => value === asked)?.value ?? 'ndjson'
  const [text, setText] = useState(() => firstColumns(list, page).join('\n'))
  const { columns, problem } = readColumns(text)
  const [isGuarded, setGuarded] = useState(false)
  const run = useExport(list)
  // By id, because another list may take over its name.
  const what = { list: list.id, query, format, columns, isGuarded }
  return (
    <Form onSend={() => void run.start(what)}>
      <Choice
        label="Format"
        value={format}
        choices={formats}
        onValue={(value) => navigate(withQuery(here.value, { format: value }), { replace: true })}
      />
      {format === 'csv' && (
        <>
          <TextField
            label="Columns"
            help="One column per line: a pointer into the data, for example /title, or a field of items, for example id, tags or updatedAt."
            problem={problem}
            lines={Math.min(12, Math.max(4, columns.length + 1))}
            mono
            value={text}
            onValue={setText}
          />
          <Switch
            label="Put an apostrophe before formulas"
            help="Spreadsheets run texts that begin with =, +, - or @ as formulas. An import can remove the apostrophes again."
            on={isGuarded}
            onChange={setGuarded}
          />
        </>
      )}
      {run.error !== null && <Problem error={toListdError(run.error)} />}
      <Progress count={run.count} incomplete={run.incomplete} isRunning={run.isRunning} />
      <div class="row">
        <Button kind="primary" sends busy={run.isRunning} disabled={format === 'csv' && problem !== undefined}>
          Export items
        </Button>
        {run.isRunning && <Button onPress={run.stop}>Stop</Button>}
      </div>
    </Form>
  )
}

function Progress({
  count: items,
  incomplete,
  isRunning,
}: {
  count: number | null
  incomplete: number
  isRunning: boolean
}) {
  if (items === null) return null
  if (isRunning) return <p>{countOf(items, 'item')} so far</p>
  return (
    <div role="status">
      <Note tone={incomplete > 0 ? 'warn' : 'good'} icon="done">
        <b>{countOf(items, 'item')} exported.</b>{' '}
        {incomplete > 0 && `${count(incomplete)} of them have data that is not in any column.`}
      </Note>
    </div>
  )
}

/** The columns from the address, as the table of items has them, or default columns from the first items. */
function firstColumns(list: List, page: string): string[] {
  const chosen = here.value.query.getAll('column')
  return chosen.length > 0 ? chosen : defaultColumns(list.schema, readItemPage(page).items)
}

function readColumns(text: string): { columns: string[]; problem: string | undefined } {
  const columns = text.split('\n').flatMap((line) => line.trim() || [])
  if (columns.length === 0) return { columns, problem: 'Enter at least one column.' }
  try {
    return { columns: columns.map(parseExportColumn), problem: undefined }
  } catch (error) {
    return { columns, problem: (error as Error).message }
  }
}

/** Runs an export until it ends or is stopped; `count` null: no export has run yet. */
function useExport(list: List) {
  const [state, setState] = useState({
    isRunning: false,
    count: null as number | null,
    incomplete: 0,
    error: null as unknown,
  })
  const ending = useRef<AbortController>(null)
  useEffect(() => () => ending.current?.abort(), [])
  const start = async (what: Parameters<typeof exportItems>[0]) => {
    const isCsv = what.format === 'csv'
    const type = isCsv ? 'text/csv' : 'application/x-ndjson'
    const file = await openFile(`${list.pathName}.${isCsv ? 'csv' : 'ndjson'}`, type)
    if (file === null) return
    const begun = new AbortController()
    ending.current = begun
    const { signal } = begun
    const onCount = (items: number) => setState({ isRunning: true, count: items, incomplete: 0, error: null })
    onCount(0)
    try {
      const { count: items, incomplete } = await exportItems(what, {
        write: (text) => file.write(text),
        onCount,
        signal,
      })
      await file.close()
      setState({ isRunning: false, count: items, incomplete, error: null })
    } catch (error) {
      await file.abort()
      setState({ isRunning: false, count: null, incomplete: 0, error: signal.aborted ? null : error })
      if (signal.aborted) announce('The export was stopped; nothing was saved.')
    }
  }
  return { ...state, start, stop: () => ending.current?.abort() }
}
