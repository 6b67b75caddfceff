import type { StartExitCode } from './start-error.ts'

/** `setupToken` comes from the command that prepares the database, for the link in the banner. */
export type Ready = { ready: true; address: string | null; setupToken?: string }

/** A message from a process to the supervisor, over its IPC channel. */
export type ToSupervisor =
  | Ready
  /** It cannot start; the sentence is for the operator, and the code is the one that it exits with. */
  | { failed: string; exitCode: StartExitCode }
  | Pong

/** The answer of a process to a `ToService`, which shows that its event loop runs. */
type Pong = { pong: true }

/** A message from the supervisor to a service. */
export type ToService = { ping: true }

/** Sends the message if there is a supervisor; a process started by hand has none. */
export function notifySupervisor(message: ToSupervisor): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send || !process.connected) resolve()
    // Resolves once it is sent: what is still queued when a process exits is lost.
    else process.send(message, undefined, undefined, () => resolve())
  })
}

/** Answers the supervisor, if there is one, whenever it asks. */
export function answerPings(): void {
  if (process.send === undefined) return
  process.on('message', (message: ToService) => {
    if (message.ping) void notifySupervisor({ pong: true })
  })
}

/** Whether a message is the first one of a process: the result of its start. */
export function isStartResult(message: unknown): message is Exclude<ToSupervisor, Pong> {
  return typeof message === 'object' && message !== null && ('ready' in message || 'failed' in message)
}

export function isPong(message: unknown): message is Pong {
  return typeof message === 'object' && message !== null && 'pong' in message
}
