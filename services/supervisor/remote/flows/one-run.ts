import type { FlowRunWithSteps } from '#client/src/main.ts'
import { type FlowRuns, manage } from '#client/src/manage.ts'
import { formatJson } from '../../listing.ts'
import type { Terminal } from '../../terminal.ts'
import { createPaint } from '../paint.ts'
import type { SignedInUser } from '../sessions/with-profile.ts'
import { renderRun } from './render-run.ts'

/** Calls about runs, whose numbers stand as they were, whatever their size. */
export function runsOf({ client }: SignedInUser): FlowRuns {
  return manage(client.with({ lossless: true })).flowRuns
}

/** Prints a run; JSON has it as the API does. */
export function showRun(
  { env, stdout }: Terminal,
  run: FlowRunWithSteps,
  { json, dryRun = false }: { json?: true | undefined; dryRun?: boolean },
): void {
  stdout.write(json ? formatJson(run) : renderRun(run, { paint: createPaint({ env }, stdout), dryRun }))
}
