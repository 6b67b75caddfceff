import { connectBus } from '#shared/bus/bus.ts'
import { type Probe, type ProbeAnswer, probe } from '#shared/bus/messages/dispatcher.ts'
import { createLogger } from '#shared/log/logger.ts'
import { testPrefix } from '../nats/bus.ts'
import type { Teardown } from '../test-context/teardown.ts'

/**
 * Answers whether a URL may be used, like a dispatcher; the test decides.
 * @returns the requested urls
 */
export async function answerProbes(
  t: Teardown,
  natsUrl: string,
  validate: (url: string) => ProbeAnswer['refused'] | Promise<ProbeAnswer['refused']> = () => null,
): Promise<string[]> {
  const log = createLogger({ service: 'test', level: 'silent' })
  const bus = await connectBus({ url: natsUrl, prefix: testPrefix, replicas: 1, name: 'probe', log })
  t.teardown(bus.close)
  const asked: string[] = []
  bus.respond<Probe>('dispatcher.probe', {
    schema: probe,
    async handle({ url }) {
      asked.push(url)
      return { refused: await validate(url) }
    },
  })
  return asked
}
