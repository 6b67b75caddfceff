import { assertSuccess, type ClosedLoop, closedLoop, type LoadResult, numbered } from '../loads/closed-loop.ts'
import { runProgram } from './run-program.ts'

/** Requests that need nothing of the answers before. */
export type Load = ClosedLoop & {
  /** Complete requests, sent in turn; `########` in one is replaced by a unique number. */
  requests: readonly string[]
  /** Whether requests may be rejected and connections closed, because the scenario measures that. */
  anyAnswer?: boolean
}

runProgram(async () => ({ ready: null, answer: applyLoad }))

let turns = 0

function applyLoad({ requests, anyAnswer = false, ...loop }: Load): Promise<LoadResult> {
  return closedLoop(loop, async (connection) => {
    const status = await connection.send(numbered(requests[++turns % requests.length] ?? '')).catch((error) => {
      if (anyAnswer) return null
      throw error
    })
    if (status !== null && !anyAnswer) assertSuccess(status)
    return status !== null
  })
}
