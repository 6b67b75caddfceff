import test from 'ava'
import { matchesFixture } from '../support/assertions/fixture.ts'
import { callAccount, endSessions } from '../support/examples/account-calls.ts'
import { assembleCast } from '../support/examples/cast.ts'
import { callFlows } from '../support/examples/flow-calls.ts'
import { callManagement, callSignUp } from '../support/examples/identity-calls.ts'
import { callItemData, callItems } from '../support/examples/item-calls.ts'
import { callEvents, callIndexBuilds, callIndexes, callLists, callSync } from '../support/examples/list-calls.ts'
import { createRecording } from '../support/examples/recording.ts'
import { callWebhooks } from '../support/examples/webhook-calls.ts'
import { startFresh } from '../support/processes/first-run.ts'
import { testCaFile, testReceiver } from '../support/receivers/egress.ts'
import { testFolder } from '../support/test-context/folder.ts'

test("the examples of the API's description are recorded responses of a listd", async (t) => {
  const receiver = await testReceiver(t)
  const caFile = await testCaFile(t, receiver.ca)
  const env = { LISTD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8', LISTD_WEBHOOKS_CA_FILE: caFile }
  const { address, setupToken } = await startFresh(t, await testFolder(t), env)
  const recording = createRecording()
  const cast = await assembleCast(recording, { address, setupToken, receiver })
  await callAccount(cast)
  await callLists(cast)
  await callIndexes(cast)
  await callItems(cast)
  await callItemData(cast)
  await callIndexBuilds(cast)
  await callSync(cast)
  await callManagement(cast)
  await callSignUp(cast)
  await callFlows(cast)
  await callWebhooks(cast)
  await callEvents(cast)
  await endSessions(cast)
  const { operations, errors } = recording.examples
  const text = `${JSON.stringify({ operations: sorted(operations), errors: sorted(errors) }, null, 2)}\n`
  await matchesFixture(t, '../../services/gateway/http/openapi/examples.json', text)
})

function sorted(examples: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(examples).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
