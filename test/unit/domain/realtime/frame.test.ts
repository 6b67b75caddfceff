import test from 'ava'
import { changeFrame, endFrame, heartbeat, placed, readyFrame, resetFrame } from '#shared/domain/realtime/frame.ts'

const id = { number: 7, eventId: '0190f5fe-7c00-7a00-8000-000000000001' }
const point = { id, grant: 'abc' }

test('each frame names its event, carries the id to continue from, and ends with a blank line', (t) => {
  const at = `id: 7-${id.eventId}.abc\n`
  t.is(
    readyFrame({ id: null, grant: '' }, { lists: null, resumed: false }),
    'id: 0\nevent: ready\ndata: {"lists":null,"resumed":false}\n\n',
  )
  t.is(resetFrame(point, 'too-old'), `${at}event: reset\ndata: {"reason":"too-old"}\n\n`)
  t.is(endFrame('restart', 12), 'retry: 12\nevent: end\ndata: {"reason":"restart","retryMs":12}\n\n')
  t.is(heartbeat(point), `: heartbeat\n${at}\n`)
})

const change = {
  eventId: id.eventId,
  type: 'item-updated',
  listId: 'l',
  itemId: 'i',
  revision: 2,
  createdAt: 0,
  model: '{"id":"i"}',
}

test('a change has the event, the item and the author, and leaves out hidden values', (t) => {
  const facts = `"eventId":"${id.eventId}","listId":"l"`
  const head = `event: item-updated\ndata: `
  t.is(
    changeFrame({ ...change, actor: '{"authMode":"user"}' }),
    `${head}{${facts},"itemId":"i","revision":2,"createdAt":"1970-01-01T00:00:00.000Z","actor":{"authMode":"user"},"model":{"id":"i"}}\n\n`,
  )
  t.is(
    changeFrame({ ...change, itemId: null, revision: null, actor: undefined }),
    `${head}{${facts},"createdAt":"1970-01-01T00:00:00.000Z","model":{"id":"i"}}\n\n`,
  )
})

test('a frame with a position has the id to continue from', (t) => {
  t.is(placed(point, 'event: x\n\n'), `id: 7-${id.eventId}.abc\nevent: x\n\n`)
})

test('line breaks between values do not end a frame', (t) => {
  const text = changeFrame({ ...change, actor: undefined, model: '{\n"id":\r\n"i"\r}' })
  t.true(text.endsWith('"model":{\ndata: "id":\ndata: "i"\ndata: }}\n\n'))
  t.is(text.split('\n\n').length, 2)
})
