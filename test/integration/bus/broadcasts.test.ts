import test from 'ava'
import { type KeyAnswer, keyQuestion } from '#shared/bus/messages/secrets.ts'
import { until } from '../../support/assertions/until.ts'
import { saidToServer, testBus } from '../../support/nats/bus.ts'
import { testNats } from '../../support/nats/nats.ts'

test('a broadcast reaches every listening process, even after a restart, and only in its format', async (t) => {
  const nats = await testNats(t)
  const buses = [await testBus(t, nats.url), await testBus(t, nats.url)]
  const heard: string[][] = [[], []]
  buses.forEach((bus, which) => {
    bus.listen<{ webhookId: string }>('dispatcher.wake', ({ webhookId }) => {
      heard[which]?.push(webhookId)
      if (webhookId === 'throws') throw new Error('an error of the listener')
    })
  })
  const say = async (webhookId: string) =>
    until(async () => {
      buses[0]?.broadcast('dispatcher.wake', { webhookId })
      return heard.every((ids) => ids.includes(webhookId))
    })
  await say('first')
  await say('throws')
  buses[0]?.broadcast('dispatcher.wake', { webhookId: 1 })
  buses[0]?.broadcast('dispatcher.wake', { webhookId: 'odd', more: 1 })
  await nats.kill()
  await until(async () => buses.every((bus) => !bus.connected()))
  await nats.start()
  await say('second')
  t.true(heard.every((ids) => ids.every((id) => ['first', 'throws', 'second'].includes(id))))
})

test('every process that knows the subject answers a survey, which ends without the others', async (t) => {
  const nats = await testNats(t)
  const [asking, first, second] = [await testBus(t, nats.url), await testBus(t, nats.url), await testBus(t, nats.url)]
  const ask = (count: number) =>
    asking.survey<KeyAnswer>(
      'secrets.key',
      { keyId: 'k' },
      { withinMs: count === 0 ? 1 : 60_000, isComplete: (answers) => answers.length >= count },
    )
  t.deepEqual(await ask(0), [])
  for (const [instance, bus] of Object.entries({ first, second })) {
    const answer = ({ keyId }: { keyId: string }) => ({ service: 'gateway', instance, known: keyId === 'k' })
    bus.answerSurvey('secrets.key', { schema: keyQuestion, answer })
    await saidToServer(bus)
  }
  const answers = await ask(2)
  t.deepEqual(answers.map(({ instance, known }) => `${instance} ${known}`).sort(), ['first true', 'second true'])
})
