import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import { testFolder } from '../test-context/folder.ts'
import { type TestProcess, testProcess } from './process.ts'

/** Whether this machine has the programs of systemd. */
export const hasSystemd = await promisify(execFile)('systemd-analyze', ['--version']).then(
  () => true,
  () => false,
)

/** Listens in place of systemd, and prints each message; Node.js has no Unix datagram sockets. */
export async function listenAsSystemd(t: ExecutionContext): Promise<{ socket: string; systemd: TestProcess }> {
  const socket = join(await testFolder(t), 'notify')
  const listen = `$| = 1; $s = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $ARGV[0]) or die; print "listening\\n";
    while (defined $s->recv($m, 4096)) { print "$m\\n" }`
  const systemd = testProcess(t, ['perl', '-MIO::Socket::UNIX', '-MSocket', '-e', listen, socket])
  await systemd.printed(/listening/)
  return { socket, systemd }
}
