import test from 'ava'
import { describeSamePort, findSamePorts } from '#services/supervisor/processes/ports.ts'
import { loadConfig } from '#shared/config/load.ts'

const same = (env: Record<string, string>) => findSamePorts(loadConfig({ env })).map(describeSamePort)

test('settings with the same port are named, but not those without a port or with any free one', (t) => {
  t.deepEqual(same({}), [])
  t.deepEqual(same({ LISTD_GATEWAY_OPS_PORT: '3000' }), ['gateway.port and gateway.opsPort are both 3000'])
  t.deepEqual(same({ LISTD_IDENTITY_OPS_PORT: '9000', LISTD_DISPATCHER_OPS_PORT: '9000' }), [
    'identity.opsPort and dispatcher.opsPort are both 9000',
  ])
})
