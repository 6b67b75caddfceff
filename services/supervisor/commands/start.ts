import { environmentWithGiven } from '#shared/config/environment.ts'
import { loadConfig } from '#shared/config/load.ts'
import type { GivenSetting } from '#shared/config/sources/from-options.ts'
import { lockDataDirectory } from '#shared/data/data-directory-lock.ts'
import { endSignals, ignoreHangup } from '#shared/lifecycle/signals.ts'
import { StartError, startExitCodes } from '#shared/lifecycle/start-error.ts'
import { trimMemorySoon } from '#shared/lifecycle/trim-memory.ts'
import { createLogger } from '#shared/log/logger.ts'
import { banner } from '../first-start/banner.ts'
import { ownCommand, placeOf } from '../first-start/own-command.ts'
import { describeSamePort, findSamePorts } from '../processes/ports.ts'
import { reportToSystemd } from '../processes/systemd.ts'
import { supervise } from '../supervisor.ts'
import type { Terminal } from '../terminal/terminal.ts'

export type StartOptions = { dataDir?: string; host?: string; port?: string }

/**
 * `listd start`: runs everything on this machine until SIGTERM or SIGINT, which drains it within 18 s. A signal
 * before the banner, or a second one, ends it immediately. Processes do not outlive the supervisor that started them.
 */
export async function start(terminal: Terminal, options: StartOptions): Promise<void> {
  let drain: () => void = () => process.exit(0)
  for (const signal of endSignals) process.on(signal, () => drain())

  const given = givenBy(options)
  const config = loadConfig({ env: terminal.env, given })
  const [same] = findSamePorts(config)
  if (same) {
    const message = `${describeSamePort(same)}; set ${same.second.variable} to another port.`
    throw new StartError(startExitCodes.configuration, message)
  }
  const env = environmentWithGiven(given, terminal.env)
  const log = createLogger({ service: 'supervisor', ...config.log })
  ignoreHangup(log)
  const lock = await lockDataDirectory(config.dataDir)
  const { address, setupToken, stop, kill } = await supervise({ config, env, log })
  const tookMs = process.uptime() * 1_000
  const own = ownCommand(await placeOf(), { dataDir: config.dataDir, cwd: process.cwd() })
  // On standard error, because it is for people and holds a secret: standard output has only log lines.
  terminal.stderr.write(banner({ config, address, setupToken, tookMs, own }))
  trimMemorySoon()

  drain = () => {
    let code = 0
    drain = () => {
      code = 1
      void kill()
    }
    log('supervisor.stopping')
    void stop()
      .then(() => lock.release())
      .then(() => process.exit(code))
  }
  await reportToSystemd()
}

/** The settings that the options stand for. */
function givenBy({ dataDir, host, port }: StartOptions): GivenSetting[] {
  const settings = [
    { key: 'dataDir', option: '--data-dir', text: dataDir },
    { key: 'gateway.host', option: '--host', text: host },
    { key: 'gateway.port', option: '--port', text: port },
  ]
  return settings.flatMap(({ text, ...setting }) => (text === undefined ? [] : [{ ...setting, text }]))
}
