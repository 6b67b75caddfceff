import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ListdError } from '../../../client/src/error.ts'
import type { Resource } from '../api/resource.ts'
import { Button } from './button.tsx'
import { copyText } from './copy.tsx'
import { Note } from './marks.tsx'
import { sentence } from './text.tsx'

/** Why something failed, what happens next, and the id by which the server's log knows the request. */
export function Problem({ error, onRetry }: { error: ListdError; onRetry?: () => void }) {
  const { requestId, retryAfterSeconds } = error
  return (
    <Note tone="bad">
      <div role="alert">{messageOf(error)}</div>
      <div class="row">
        {(error.status === 429 || error.status === 503) && <Countdown seconds={retryAfterSeconds ?? 5} />}
        {onRetry && (
          <Button icon="again" onPress={onRetry}>
            Try again
          </Button>
        )}
        {requestId && (
          <Button kind="quiet" icon="copy" onPress={() => copyText(requestId, 'The request id')}>
            Copy request id
          </Button>
        )}
      </div>
    </Note>
  )
}

export function messageOf({ name, message }: ListdError): string {
  if (name === 'CONNECTION_FAILED') return 'The server cannot be reached. It may be starting again.'
  return sentence(message)
}

function Countdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    setLeft(seconds)
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return <span class="muted">{left > 0 ? `Another try in ${left} s.` : 'Trying again…'}</span>
}

type LoadedProps<T> = {
  resource: Resource<T>
  /** What stands in its place the first time. */
  skeleton?: ComponentChildren
  children: (data: T) => ComponentChildren
}

/** What has been read; the last answer, dimmed, while a newer one is on its way; or why there is none. */
export function Loaded<T>({ resource, skeleton, children }: LoadedProps<T>) {
  const { data, error, isOld, reload } = resource
  return (
    <>
      {error && (
        <div class="pad">
          <Problem error={error} onRetry={reload} />
        </div>
      )}
      {data === undefined ? (
        !error && (skeleton ?? <Skeleton />)
      ) : (
        <div class={isOld ? 'loaded old' : 'loaded'} aria-busy={isOld}>
          {children(data)}
        </div>
      )}
    </>
  )
}

/** Grey lines that appear when an answer takes longer than a moment. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, n) => (
        <i key={n} />
      ))}
    </div>
  )
}

type EmptyProps = { title: string; children: ComponentChildren; action?: ComponentChildren; command?: string }

/** What a place without anything is for, the one thing to do first, and the same as a command. */
export function Empty({ title, children, action, command }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p class="muted">{children}</p>
      {action}
      {command && (
        <p class="muted small">
          Or on the command line: <code>{command}</code>
        </p>
      )}
    </div>
  )
}
