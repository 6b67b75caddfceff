import test from 'ava'
import { maxPayloadDataBytes } from '#shared/domain/limits.ts'
import { eventPayload, type ItemEvent } from '#shared/domain/webhook/event-payload.ts'
import { plainItem } from '../../../support/databases/contents/items.ts'
import { randomJson, seeded } from '../../../support/load/random-json.ts'

function event(changes: Partial<ItemEvent> = {}): ItemEvent {
  return {
    id: 'event-1',
    type: 'item.created',
    createdAt: Date.UTC(2026, 2, 1, 10, 20, 30, 4),
    list: { id: 'list-1', name: 'Recipes', pathName: 'recipes' },
    item: plainItem(),
    actor: { authMode: 'token', tokenId: 'token-1', identityId: null },
    ...changes,
  }
}

const item =
  '{"id":"item-1","createdAt":"2026-03-01T00:00:00.000Z","updatedAt":"2026-03-01T10:20:30.004Z","identity":null,' +
  '"data":{"title":"Soup"},"version":"1.0.0","readonly":false,"activated":true,"description":"","tags":[],"size":16,' +
  '"locked":false}'
const head = '{"id":"event-1","type":"item.created","createdAt":"2026-03-01T10:20:30.004Z"'
const list = '"list":{"id":"list-1","name":"Recipes","pathName":"recipes"}'
const actor = '"actor":{"authMode":"token","tokenId":"token-1","identityId":null}'

test('the payload of a new item has exactly these bytes', (t) => {
  t.is(eventPayload(event()), `${head},"data":{${list},"item":${item},${actor}}}`)
})

test('the item before the change is between the item and the actor', (t) => {
  const previous = plainItem({ version: '0.9.0' })
  const before = item.replace('1.0.0', '0.9.0')
  t.is(eventPayload(event({ previous })), `${head},"data":{${list},"item":${item},"previous":${before},${actor}}}`)
})

test('only id, name and path name of the list are sent', (t) => {
  const secretive = { ...event().list, generativePrompt: 'canary' }
  t.is(eventPayload(event({ list: secretive })), eventPayload(event()))
})

test('the actor is always written in the same order, a flow with its run', (t) => {
  const actorText = (given: ItemEvent['actor']) => /"actor":(.*)\}\}$/.exec(eventPayload(event({ actor: given })))?.[1]
  t.is(
    actorText({ identityId: null, tokenId: null, authMode: 'user' }),
    '{"authMode":"user","tokenId":null,"identityId":null}',
  )
  t.is(
    actorText({ runId: 'r', flowId: 'f', authMode: 'flow', tokenId: null, identityId: 'i' }),
    '{"authMode":"flow","tokenId":null,"identityId":"i","flowId":"f","runId":"r"}',
  )
})

test('data of up to 262,144 bytes is in the payload; larger data is null and marked as omitted', (t) => {
  const sized = (bytes: number) => plainItem({ data: `"${'x'.repeat(bytes - 2)}"` })
  const fits = JSON.parse(eventPayload(event({ item: sized(maxPayloadDataBytes) }))).data.item
  t.is(fits.data.length, maxPayloadDataBytes - 2)
  t.false('dataOmitted' in fits)
  const tooLarge = JSON.parse(eventPayload(event({ item: sized(maxPayloadDataBytes + 1) }))).data.item
  t.is(tooLarge.data, null)
  t.true(tooLarge.dataOmitted)
  t.is(tooLarge.size, maxPayloadDataBytes + 1)
})

test('the limit applies separately to the item and the previous item', (t) => {
  const large = plainItem({ size: maxPayloadDataBytes + 1 })
  for (const [now, before] of [[plainItem(), large], [large, plainItem()]] as const) {
    const { data } = JSON.parse(eventPayload(event({ item: now, previous: before })))
    t.is(data.item.dataOmitted, now === large ? true : undefined)
    t.is(data.previous.dataOmitted, before === large ? true : undefined)
  } // biome-ignore format: pairs
})

test('data goes into the payload byte for byte', (t) => {
  const random = seeded(5)
  for (let n = 0; n < 500; n++) {
    const { compact } = randomJson(random)
    const payload = eventPayload(event({ item: plainItem({ data: compact }) }))
    t.true(payload.includes(`"identity":null,"data":${compact},"version"`))
    t.notThrows(() => JSON.parse(payload))
  }
})
