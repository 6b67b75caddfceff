import { Agent } from 'undici'
import { type BareEvent, type BareSenderOptions, signedRequest } from '../support/programs/bare-delivery.ts'
import { runProgram } from '../support/programs/run-program.ts'

/** The settings that are passed to it. */
export type Preset = {
  concurrentJobs: number
  maxPoolSize: number
  pollInterval?: number
  localQueue?: { size: number }
  completeJobBatchDelay?: number
  failJobBatchDelay?: number
}

export type WorkerOptions = BareSenderOptions & { connectionString: string }
export type WorkerQuestion = { start: Preset } | 'stop'

/** One job: an event and the position of the webhook that gets it. */
export type JobPayload = { webhook: number; event: BareEvent }

/** The used part of the package, which is installed for this bench only. */
type GraphileWorker = {
  runMigrations(options: { connectionString: string }): Promise<void>
  run(options: {
    preset: { worker: Preset & { connectionString: string; logger: unknown } }
    taskList: Record<string, (payload: JobPayload) => Promise<void>>
    noHandleSignals: boolean
  }): Promise<{ stop(): Promise<void> }>
  Logger: new (factory: () => () => void) => unknown
}

/** A separate process, like listd's dispatcher: it reads jobs from the queue and sends them, and logs nothing. */
runProgram<WorkerOptions>(async ({ connectionString, origin, ca, secrets }) => {
  const installed: string = 'graphile-worker'
  const { run, runMigrations, Logger }: GraphileWorker = await import(installed)
  const agent = new Agent({ connect: { ca }, allowH2: false })
  let running: { stop(): Promise<void> } | undefined

  async function deliver({ webhook, event }: JobPayload): Promise<void> {
    const answer = await agent.request({ origin, ...signedRequest(secrets[webhook] ?? '', event) })
    await answer.body.dump()
    if (answer.statusCode > 299) throw new Error(`the receiver answered ${answer.statusCode}`)
  }

  await runMigrations({ connectionString })
  return {
    ready: null,
    async answer(question: WorkerQuestion) {
      if (question === 'stop') {
        await running?.stop()
        return null
      }
      const worker = { connectionString, logger: new Logger(() => () => {}), ...question.start }
      running = await run({ preset: { worker }, taskList: { deliver }, noHandleSignals: true })
      return null
    },
  }
})
