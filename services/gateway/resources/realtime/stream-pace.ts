/** How often streams send heartbeats and check credentials, and when they give up. */
export type StreamPace = {
  heartbeatMs: number
  /** How often credentials are checked again where no message has reported a change. */
  checkEveryMs: number
  /** Commits that a reader may be behind while it is connected. */
  maxBehind: number
}

export const streamPace: StreamPace = { heartbeatMs: 15_000, checkEveryMs: 60_000, maxBehind: 10_000 }
