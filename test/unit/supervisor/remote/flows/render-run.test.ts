import test from 'ava'
import type { FlowRunWithSteps } from '#client/src/main.ts'
import type { FlowRunActor } from '#client/src/types/flow-resources.ts'
import { renderRun } from '#services/supervisor/remote/flows/render-run.ts'
import { plain } from '#services/supervisor/remote/paint.ts'

const step = { inputs: {}, port: 'next', fuel: 1 }
const run: FlowRunWithSteps = {
  id: 'r1',
  flowId: 'f1',
  flowVersion: 3,
  trigger: { type: 'endpoint', requestId: 'q1' },
  actor: { authMode: 'user', tokenId: null, identityId: 'i1', userId: 'u1', userName: 'Ada\u0007' },
  status: 'succeeded',
  attempts: 1,
  startedAt: '2026-03-01T10:00:00.000Z',
  durationMs: 12,
  fuel: 1_234,
  answer: { status: 201, headers: {}, body: { votes: 2 } },
  writes: [
    { op: 'create', list: 'votes', itemId: 'i1', version: '1.0.0', node: 'vote' },
    { op: 'delete', list: 'cards', itemId: 'i2', version: null, node: 'gone' },
  ],
  emits: [
    { webhookId: 'w1', eventId: 'e1', node: 'tell' },
    { webhookId: 'w2', eventId: 'e1', node: 'tell', skipped: true },
  ],
  steps: [
    { ...step, node: 'known', durationMs: 0.012, type: 'require', result: true },
    { ...step, node: 'card', durationMs: 1.5, type: 'get-item', result: { text: `\u001b[2J${'x'.repeat(500)}` } },
    { ...step, node: 'page', durationMs: 20, type: 'list-items', result: null, cut: true },
  ],
  omittedSteps: 2,
  seed: 's',
}

test('a run is shown with the result of each step, its writes and its emitted events', (t) => {
  t.is(
    renderRun(run, { paint: plain }),
    `r1 succeeded in 12 ms with 1,234 steps of expressions: 201 {"votes":2}
Started by Ada\u{FFFD} for the identity i1
Steps:
  known  require     0.012 ms  true
  card   get-item    1.5 ms    {"text":"\\u001b[2J${'x'.repeat(182)}…
  page   list-items  20 ms     …
  and 2 more steps
Writes:
  create  votes  i1  1.0.0  vote
  delete  cards  i2  -      gone
Emits:
  w1  e1  sent     tell
  w2  e1  skipped  tell
`,
  )
})

const error = { code: 'REQUIRE_FAILED', status: 409, message: 'You have voted.' }
const failed = { ...run, steps: [], omittedSteps: 0, writes: [], emits: [] }

const ends: [part: Partial<FlowRunWithSteps>, end: string][] = [
  [{ status: 'failed', error: { ...error, node: 'once' } }, ': 409 REQUIRE_FAILED at "once": You have voted.'],
  [{ status: 'refused', error: { ...error, code: 'VALIDATION_FAILED' } }, ': 409 VALIDATION_FAILED: You have voted.'],
  [{ answer: { status: 204, headers: {} } }, ': 204'],
  [{ answer: { status: 200, headers: {}, cut: true } }, ': 200 …'],
]

test('the end of a run is one line', (t) => {
  for (const [part, end] of ends) {
    const { answer: _, actor: _actor, ...others } = failed
    const shown = renderRun({ ...others, ...part }, { paint: plain })
    t.is(shown, `r1 ${part.status ?? 'succeeded'} in 12 ms with 1,234 steps of expressions${end}\n`)
  }
})

test('a dry run says what it would have done', (t) => {
  t.regex(renderRun(run, { paint: plain, dryRun: true }), /\nWould write:\n(.*\n){2}Would emit:\n/)
})

const user = { authMode: 'user', tokenId: null, identityId: null, userId: 'u1', userName: null } as const
const actors: [actor: FlowRunActor | null, said: string][] = [
  [{ authMode: 'token', tokenId: 't1', identityId: null }, 'the token t1'],
  [user, 'the user u1'],
  [null, 'an unknown caller'],
]

for (const [actor, said] of actors) {
  test(`a run by ${said} says so`, (t) => {
    t.is(renderRun({ ...failed, actor }, { paint: plain }).split('\n')[1], `Started by ${said}`)
  })
}

test('a run of an earlier version does not say who started it', (t) => {
  const { actor: _, ...before } = failed
  t.false(renderRun(before, { paint: plain }).includes('Started'))
})
