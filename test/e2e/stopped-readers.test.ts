import test from 'ava'
import { openEvents } from '../support/http/event-stream.ts'
import { heldMb, inspectable } from '../support/load/memory.ts'
import { testListd } from '../support/processes/listd.ts'

const readers = 20
/** Megabytes of frames. A queue of them would show in the memory, even one that all readers share. */
const [firstMb, moreMb] = [10, 20]
const mayGrowMb = 5

test("each stopped reader uses one page of the gateway's memory, however much happens, and gets everything later", async (t) => {
  const listd = await testListd(t, { env: inspectable })
  await listd.api('POST', '/lists', { body: { name: 'recipes', realtime: true } })
  const headers = { 'x-api-token': listd.credentials.token }
  const open = () => openEvents(t, Number(new URL(listd.address).port), { query: 'eventTypes=item-created', headers })
  const streams = await Promise.all(Array.from({ length: readers }, open))
  for (const stream of streams) {
    await stream.wait(1, 'ready')
    stream.response.pause()
  }
  const operations = Array.from({ length: 100 }, () => ({ op: 'create', data: { text: 'x'.repeat(10_000) } }))
  const write = async (megabytes: number) => {
    for (let n = 0; n < megabytes; n++) {
      const { status } = await listd.api('POST', '/lists/recipes/items/batch?includeData=false', {
        body: { operations },
      })
      t.is(status, 200)
    }
  }
  const atFirst = await heldMb(listd, 'gateway')
  await write(firstMb)
  const before = await heldMb(listd, 'gateway')
  await write(moreMb)
  const after = await heldMb(listd, 'gateway')
  t.log({ atFirst, before, after })
  t.true(after - before <= mayGrowMb, `${after - before} MB more`)
  const [one, ...others] = streams
  for (const stream of others) stream.close()
  one?.response.resume()
  const frames = await one?.wait((firstMb + moreMb) * 100, 'item-created')
  t.is(new Set(frames?.map(({ data }) => data.eventId)).size, (firstMb + moreMb) * 100)
})
