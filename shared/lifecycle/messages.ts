/** `setupToken`: of the link to be printed, from the command that prepares the database. */
export type Ready = { ready: true; address: string | null; setupToken?: string }

/** What a process says to the supervisor over its IPC channel. */
export type ToSupervisor =
  | Ready
  /** It cannot start; the sentence is for the operator. */
  | { failed: string }

/** Says it when a supervisor listens; a process started by hand has none. */
export function tellSupervisor(message: ToSupervisor): Promise<void> {
  return new Promise((resolve) => {
    if (!process.send || !process.connected) resolve()
    // Sent before the process goes on: what is queued at an exit is lost.
    else process.send(message, undefined, undefined, () => resolve())
  })
}

export function isToSupervisor(message: unknown): message is ToSupervisor {
  return typeof message === 'object' && message !== null && ('ready' in message || 'failed' in message)
}
