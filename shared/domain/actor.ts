/** Who made a change, in events and webhook payloads (specification, "Event payload"). */
export type Actor =
  | { authMode: 'token'; tokenId: string; identityId: string | null }
  | { authMode: 'user'; tokenId: null; identityId: null }
  | { authMode: 'flow'; tokenId: string | null; identityId: string | null; flowId: string; runId: string }
