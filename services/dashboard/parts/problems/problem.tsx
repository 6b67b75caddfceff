import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { secondsToWait } from '../../api/errors.ts'
import type { Resource } from '../../api/reader.ts'
import { Button } from '../controls/button.tsx'
import { copyText } from '../controls/copy.tsx'
import { Note } from '../display/marks.tsx'
import { count, sentence } from '../display/text.tsx'

/**
 * Why something failed, what happens next, and the request id in the server's log.
 * @param onRetry reads again; such reads are also retried automatically
 */
export function Problem({ error, onRetry }: { error: ListdError; onRetry?: () => void }) {
  const { requestId } = error
  const seconds = secondsToWait(error)
  return (
    <Note tone="bad">
      <div role="alert">{messageOf(error)}</div>
      <div class="row">
        {seconds !== null && <Countdown key={requestId} seconds={seconds} repeats={onRetry !== undefined} />}
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

export function messageOf({ name, message, details }: ListdError): string {
  if (name === 'CONNECTION_FAILED') return 'The server cannot be reached. It may be starting again.'
  const { done, total } = details ?? {}
  const progress =
    name === 'INDEX_BUILDING' && total ? ` ${count(Number(done))} of ${count(Number(total))} items are indexed.` : ''
  return sentence(message) + progress
}

function Countdown({ seconds, repeats }: { seconds: number; repeats: boolean }) {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - 1)), 1000)
    return () => clearInterval(timer)
  }, [])
  const ended = repeats ? 'Trying again…' : 'You can try again now.'
  return (
    <span class="muted">{left > 0 ? `${repeats ? 'Trying again' : 'You can try again'} in ${left} s.` : ended}</span>
  )
}

type LoadedProps<T> = {
  resource: Resource<T>
  /** Shown during the first read. */
  skeleton?: ComponentChildren
  children: (data: T) => ComponentChildren
}

/** Shows what has been read. While a newer answer is being read, the last one is dimmed. If a read fails, shows why. */
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

/** An empty state: what belongs here, the first action, and the same as a command. */
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
