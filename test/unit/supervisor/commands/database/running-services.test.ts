import test from 'ava'
import { describeRunning } from '#services/supervisor/commands/database/running-services.ts'

const member = (service: string, host: string) => ({ service, host, database: 'db', since: 0 })
const members = [member('identity', 'b'), member('gateway', 'a'), member('gateway', 'a')]

test('an upgrade names the running services, and says whether they continue to serve', (t) => {
  const reportOf = (compatibleFromThen: number) =>
    describeRunning(members, { version: 12, compatibleFrom: 10, compatibleFromThen })
  const named = 'Running on this database: the gateway on a, the identity on b.'
  const end = 'end within seconds, and must be restarted with this version.'
  t.is(reportOf(10), `${named} Running services continue to serve, during the upgrade and after it.\n`)
  t.is(reportOf(11), `${named} Services that support schema version 11 continue to serve; older ones ${end}\n`)
  t.is(reportOf(13), `${named} Running services ${end}\n`)
})

test('without services nothing is printed', (t) => {
  t.is(describeRunning([], { version: 12, compatibleFrom: 10, compatibleFromThen: 13 }), '')
})
