/** How often streams send heartbeats and check credentials, and when a stream ends because its reader is too slow. */
export type StreamPace = {
  heartbeatMs: number
  /** How often credentials are checked again if no message has reported a change. */
  checkEveryMs: number
  /** The most commits that a connected reader may be behind. */
  maxBehind: number
}

export const streamPace: StreamPace = { heartbeatMs: 15_000, checkEveryMs: 60_000, maxBehind: 10_000 }
