/** What a handler answers. */
export type Response = {
  status: 200 | 201 | 204 | 422
  /** A value to send as JSON. */
  body?: unknown
  /** JSON text to send instead of `body`, or its bytes. */
  json?: string | Buffer
  /** An HTML page to send instead of either. */
  html?: string
  headers?: Record<string, string>
}
