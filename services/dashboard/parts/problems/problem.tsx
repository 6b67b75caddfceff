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
 * Why something failed, what happens next, and the id by which the server's log knows the request.
 * @param onRetry reads again; such reads also go again by themselves
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
