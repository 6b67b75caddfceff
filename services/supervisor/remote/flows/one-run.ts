import type { FlowRunWithSteps } from '#client/src/main.ts'
import { formatJson } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { createPaint } from '../paint.ts'
import { renderRun } from './render-run.ts'

/** Prints a run; the JSON is that of the API. */
export function showRun(
  { env, stdout }: Terminal,
  run: FlowRunWithSteps,
  { json, dryRun = false }: { json?: true | undefined; dryRun?: boolean },
): void {
  stdout.write(json ? formatJson(run) : renderRun(run, { paint: createPaint({ env }, stdout), dryRun }))
}
