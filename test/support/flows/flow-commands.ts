import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { createClient } from '#client/src/client.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { makeAccount } from '../http/callers.ts'
import type { TestGateway } from '../http/gateway.ts'
import { commandsWith } from '../processes/command-line.ts'
import { testFolder } from '../test-context/folder.ts'

/** A separate account, with commands as its user, and as a token with rules. */
export async function flowCommands(t: ExecutionContext, gateway: TestGateway, rules: PermissionRule[] = []) {
  const url = `http://127.0.0.1:${gateway.port}`
  const { accountId, token, user } = await makeAccount(gateway.deps.db)
  const folder = await testFolder(t)
  await mkdir(join(folder, 'listd'))
  const session = (user.authorization ?? '').slice('Bearer '.length)
  const profile = { url, email: 'ada@example.com', session, expiresAt: '' }
  await writeFile(join(folder, 'listd', 'profiles.json'), JSON.stringify({ profiles: { default: profile } }))
  const { 'x-api-token': apiToken = '' } = await token(rules)
  const environment = { XDG_CONFIG_HOME: folder }
  const path = (name: string) => join(folder, name)
  async function file(name: string, content: unknown): Promise<string> {
    await writeFile(path(name), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
    return path(name)
  }
  return {
    accountId,
    client: createClient({ url, session }),
    run: commandsWith(environment),
    asToken: commandsWith({ ...environment, LISTD_URL: url, LISTD_TOKEN: apiToken }),
    path,
    file,
  }
}
