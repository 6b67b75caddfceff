import { useState } from 'preact/hooks'
import type { UserSession } from '#client/src/types/user-resources.ts'
import { account } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { refresh } from '../../api/reader.ts'
import { useResource } from '../../api/resource.ts'
import { Agree } from '../../forms/form-dialog.tsx'
import { useAction } from '../../forms/use-saving.ts'
import { announce } from '../../parts/controls/announce.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { Pill } from '../../parts/display/marks.tsx'
import { Table } from '../../parts/display/table.tsx'
import { Ago, At, count, countOf } from '../../parts/display/text.tsx'
import { Loaded, Skeleton } from '../../parts/problems/problem.tsx'

const most = 20

/** The sessions of the user. */
export function Sessions() {
  const sessions = useResource('sessions', (signal) => account.auth.sessions({ limit: most, signal }).page(1))
  const [asks, setAsks] = useState(false)
  return (
    <Loaded resource={sessions} skeleton={<Skeleton lines={3} />}>
      {({ data, total }) => (
        <div class="form">
          <SessionTable sessions={data} />
          {total > data.length && (
            <p class="muted">
              The newest {count(data.length)} of {count(total)}.
            </p>
          )}
          <div>
            <Button disabled={total < 2} onPress={() => setAsks(true)}>
              {total < 2 ? 'This is the only session' : 'End all others…'}
            </Button>
          </div>
          {asks && <AskToEndOthers others={total - 1} onClose={() => setAsks(false)} />}
        </div>
      )}
    </Loaded>
  )
}

function SessionTable({ sessions }: { sessions: readonly UserSession[] }) {
  return (
    <div class="card">
      <Table columns={['signed in', 'lasts', { unseen: 'this session, or a button to end it' }]}>
        <tbody>
          {sessions.map(({ id, createdAt, expiresAt, current }) => (
            <tr key={id}>
              <td class="lead">
                <Ago at={createdAt} />
              </td>
              <td class="muted under">
                until <At at={expiresAt} />
              </td>
              <td class="num when">
                {current ? <Pill tone="accent">this session</Pill> : <EndSession id={id} createdAt={createdAt} />}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function EndSession({ id, createdAt }: Pick<UserSession, 'id' | 'createdAt'>) {
  const { busy, act } = useAction()
  // The sessions are also read again after a failure: this one may have ended on its own.
  const end = () => act(() => account.auth.endSession(id), { said: 'The session has ended.', stale: 'sessions' })
  return (
    <Button kind="quiet" busy={busy} name={`End the session of ${new Date(createdAt).toLocaleString()}`} onPress={end}>
      End
    </Button>
  )
}

function AskToEndOthers({ others, onClose }: { others: number; onClose: () => void }) {
  const end = async () => {
    for await (const { id, current } of account.auth.sessions()) if (!current) await endIfThere(id)
    refresh('sessions')
    announce('All other sessions have ended.')
    onClose()
  }
  return (
    <Agree title={`End ${countOf(others, 'other session')}?`} action="End all others" onAgree={end} onClose={onClose}>
      <p>Users of these sessions must sign in again. This session stays active.</p>
    </Agree>
  )
}

async function endIfThere(id: string): Promise<void> {
  await account.auth.endSession(id).catch((failure) => {
    if (toListdError(failure).status !== 404) throw failure
  })
}
