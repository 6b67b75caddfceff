import { useEffect } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import { behindWords } from '#shared/domain/webhook/behind-words.ts'
import { account } from '../../api/client.ts'
import { pollMs } from '../../api/hinted.ts'
import { refresh } from '../../api/reader.ts'
import { useResource } from '../../api/resource.ts'
import { Button, LinkButton } from '../../parts/controls/button.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { count, countOf } from '../../parts/display/text.tsx'
import { download } from '../../parts/download.ts'
import { itemsKey } from '../lists/list-items.ts'
import { listKey } from '../lists/list-page.tsx'
import { describeState } from './describe-state.ts'
import { FileProblem } from './file-problem.tsx'
import type { ImportProgress, ImportRun } from './import-run.ts'
import { RejectedTable } from './rejected-table.tsx'

/** An import that is running, stopped, failed, or done. */
export function RunningImport({ run, onAnother }: { run: ImportRun; onAnother: () => void }) {
  const progress = run.progress.value
  const { phase, state, share, waiting, rejections } = progress
  const { name, file } = run.source
  useEffect(() => {
    if (phase === 'running') return keepsPage()
    refresh(listKey(name))
    refresh(itemsKey(name))
    return undefined
  }, [phase])
  return (
    <>
      <div class="import">
        <h2>{file.name}</h2>
        <Verdict progress={progress} />
        {phase !== 'done' && <progress class="progress" max={1} value={share} aria-label="Progress through the file" />}
        <p>
          {countOf(state.row, 'row')} read · {describeState(state, ' · ')}
        </p>
        {waiting !== null && phase === 'running' && <Note icon="time">{waiting}</Note>}
        {rejections.length > 0 && <Rejected run={run} total={state.refused} />}
      </div>
      <footer class="foot">
        <div class="grow" />
        <Actions run={run} phase={phase} onAnother={onAnother} />
      </footer>
    </>
  )
}

/** Asks before the browser leaves the page. @returns a function that stops asking */
function keepsPage(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', ask)
  return () => removeEventListener('beforeunload', ask)
}

function Verdict({ progress: { phase, state, error } }: { progress: ImportProgress }) {
  if (phase === 'running') return <div role="status">Importing the items. You can stop and continue later.</div>
  if (phase === 'stopped') {
    return (
      <div role="status">
        <Note icon="time">The import stopped after row {count(state.row)}.</Note>
      </div>
    )
  }
  if (phase === 'failed') return <FileProblem error={error} />
  const { created, existing, refused } = state
  return (
    <div role="status">
      <Note tone={refused > 0 ? 'warn' : 'good'} icon="done">
        <b>{countOf(created, 'item')} created.</b>{' '}
        {existing > 0 &&
          `${countOf(existing, 'item')} already existed: the same rows of this file were imported before. `}
        {refused > 0 &&
          `${countOf(refused, 'row was', 'rows were')} rejected. Save them as a file, correct it, and import it.`}
      </Note>
      <WebhooksBehind />
    </div>
  )
}

/** An import creates events faster than receivers accept them. */
function WebhooksBehind() {
  const webhooks = useResource(
    'webhooks behind',
    (signal) => account.webhooks.all({ order: 'heldCount', direction: 'desc', limit: 100, signal }).page(1),
    { everyMs: () => pollMs(10_000) },
  )
  const words = webhooks.data ? behindWords(webhooks.data.data) : null
  return words === null ? null : <Note icon="time">{words}</Note>
}

function Rejected({ run, total }: { run: ImportRun; total: number }) {
  const { rejections, kept } = run.progress.value
  const save = () => {
    const { content, name, type } = run.refusedFile()
    download(content, name, type)
  }
  return (
    <section>
      <div class="row">
        <h3>Rejected rows</h3>
        <div class="grow" />
        <Button icon="export" onPress={save}>
          Save rejected rows
        </Button>
      </div>
      <RejectedTable rejections={rejections} />
      {kept >= total && total > rejections.length && (
        <p class="muted">The saved file has all {count(total)} rejected rows.</p>
      )}
      {kept < total && (
        <Note tone="warn">
          The saved file has {count(kept)} of {count(total)} rejected rows. The page keeps a limited number of the rows
          that were rejected before it was reloaded. The command line keeps all of them.
        </Note>
      )}
    </section>
  )
}

function Actions({ run, phase, onAnother }: { run: ImportRun; phase: ImportProgress['phase']; onAnother: () => void }) {
  if (phase === 'running') return <Button onPress={() => run.stop()}>Stop</Button>
  return (
    <>
      <Button kind="quiet" onPress={onAnother}>
        Another file
      </Button>
      {phase === 'done' ? (
        <LinkButton kind="primary" to={route`/lists/${run.source.name}`}>
          See the items
        </LinkButton>
      ) : (
        <Button kind="primary" onPress={() => void run.run()}>
          {' '}
          Continue{' '}
        </Button>
      )}
    </>
  )
}
