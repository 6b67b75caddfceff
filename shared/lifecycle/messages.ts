import type { StartExitCode } from './start-error.ts'

/** `setupToken` comes from the command that prepares the database, for the link in the banner. */
export type Ready = { ready: true; address: string | null; setupToken?: string }

/** A message from a process to the supervisor, over its IPC channel. */
export type ToSupervisor =
  | Ready
  /** It cannot start; the sentence is for the operator, and the code is the one that it exits with. */
  | { failed: string; exitCode: StartExitCode }

/** Sends the message if there is a supervisor; a process started by hand has none. */
export function tellSupervisor(message: ToSupervisor): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send || !process.connected) resolve()
    // Resolves once it is sent: what is still queued when a process exits is lost.
    else process.send(message, undefined, undefined, () => resolve())
  })
}

export function isToSupervisor(message: unknown): message is ToSupervisor {
  return typeof message === 'object' && message !== null && ('ready' in message || 'failed' in message)
}
