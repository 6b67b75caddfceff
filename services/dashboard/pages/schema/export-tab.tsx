import { useState } from 'preact/hooks'
import { layOut } from '#shared/json/text/layout.ts'
import { membersOf } from '#shared/json/text/parts.ts'
import { here, navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Form } from '../../forms/form.tsx'
import { announce } from '../../parts/controls/announce.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { CopyButton } from '../../parts/controls/copy.tsx'
import { Choice, TextField } from '../../parts/controls/field.tsx'
import { CopyAs } from '../../parts/copy-as/copy-as.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { download } from '../../parts/download.ts'
import { JsonEditor } from '../../parts/editor/json-editor.tsx'
import { Empty, Loaded } from '../../parts/problems/problem.tsx'
import { type ExportQuery, exportAddress, exportCommand, readExportQuery } from './export-query.ts'
import { exportCall } from './sync-calls.ts'
import { draft } from './sync-draft.ts'

type Exported = { text: string; lists: number; warnings: string[] }

/** Exports lists as a document. The address contains the filters. */
export function ExportTab() {
  const query = readExportQuery(here.value.query)
  const exported = useResource(query && `lists as a document ${JSON.stringify(query)}`, (signal) =>
    readExport(query ?? everything, signal),
  )
  return (
    <div class="split wide">
      <div>
        {query ? (
          <Loaded resource={exported}>{(found) => <Document exported={found} query={query} />}</Loaded>
        ) : (
          <Empty title="Lists as a document" command="listd schema pull --out lists.json">
            Apply this document in another account to create the same lists there, or start your own file from it.
            Applying it here changes nothing.
          </Empty>
        )}
      </div>
      <aside>
        <Filters key={JSON.stringify(query)} query={query ?? everything} busy={query !== null && exported.isOld} />
      </aside>
    </div>
  )
}

const everything: ExportQuery = { scope: null, tagged: '', lists: '' }

async function readExport({ scope, tagged, lists }: ExportQuery, signal: AbortSignal): Promise<Exported> {
  const options = { scope: scope ?? undefined, tagged: tagged || undefined, lists: lists || undefined, signal }
  const answer = membersOf(await client.sync.export(options).text())
  const document = answer.get('document')?.value ?? '{}'
  return {
    text: `${layOut(document)}\n`,
    lists: membersOf(membersOf(document).get('lists')?.value ?? '{}').size,
    warnings: JSON.parse(answer.get('warnings')?.value ?? '[]'),
  }
}

function Document({ exported: { text, lists, warnings }, query }: { exported: Exported; query: ExportQuery }) {
  const fileName = `${query.scope || 'lists'}.json`
  return (
    <div class="document">
      <div class="bar">
        <Button icon="export" onPress={() => download(text, fileName)}>
          {`Download ${fileName}`}
        </Button>
        <CopyButton text={text} what="The document">
          Copy
        </CopyButton>
        <Button onPress={() => openInApply(text)}>Open in Apply</Button>
        <CopyAs call={exportCall(query)} />
        {warnings.map((warning) => (
          <Note key={warning} tone="warn">
            {warning}
          </Note>
        ))}
        {lists === 0 && <Note tone="warn">No list matches: the document declares none.</Note>}
      </div>
      <JsonEditor label="Exported document" text={text} isReadonly />
    </div>
  )
}

function openInApply(text: string): void {
  const before = draft.value
  draft.value = { ...before, text }
  navigate('/schema')
  if (before.text.trim() === '' || before.text === text) return
  announce('The previous document was replaced.', {
    undo() {
      draft.value = before
    },
  })
}

const scopeKinds = [
  { value: 'any', label: 'All, if they share a scope or have none' },
  { value: 'none', label: 'Lists without a scope' },
  { value: 'one', label: 'Lists of one scope' },
] as const

type ScopeKind = (typeof scopeKinds)[number]['value']

function Filters({ query, busy }: { query: ExportQuery; busy: boolean }) {
  const [kind, setKind] = useState<ScopeKind>(query.scope === null ? 'any' : query.scope === '' ? 'none' : 'one')
  const [scope, setScope] = useState(query.scope ?? '')
  const [tagged, setTagged] = useState(query.tagged)
  const [lists, setLists] = useState(query.lists)
  const asked: ExportQuery = { scope: kind === 'any' ? null : kind === 'none' ? '' : scope.trim(), tagged, lists }
  return (
    <Form onSend={() => navigate(exportAddress(asked))}>
      <Choice label="Lists" value={kind} onValue={setKind} choices={scopeKinds} />
      {kind === 'one' && <TextField label="Scope" value={scope} onValue={setScope} required mono autocomplete="off" />}
      <TextField
        label="With tags"
        help="Separated by commas. Matches lists with any of them."
        value={tagged}
        onValue={setTagged}
        autocomplete="off"
      />
      <TextField
        label="By name"
        help="Path names or ids, separated by commas."
        value={lists}
        onValue={setLists}
        mono
        autocomplete="off"
      />
      <div>
        <Button kind="primary" sends busy={busy}>
          Export
        </Button>
      </div>
      <p class="muted small">
        On the command line: <code>{exportCommand(asked)}</code>
      </p>
    </Form>
  )
}
