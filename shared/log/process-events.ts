/** Events of processes: how they start and end, and what the supervisor does with them. See `events.ts`. */
export const processEvents = {
  'service.started': { level: 'info', meaning: 'The service is ready.' },
  'service.stopping': {
    level: 'info',
    meaning: 'The service was asked to stop, for `reason`, and has `withinMs` ms to finish its work.',
  },
  'service.stopped': { level: 'info', meaning: 'The service has finished its work and ends.' },
  'service.stop_timed_out': {
    level: 'error',
    meaning: 'The service did not stop in time; its open requests and connections are cut off.',
    action:
      'Nothing that was acknowledged is lost. If it repeats, look for a database that answers slowly or receivers that hang.',
  },
  'service.failed': {
    level: 'fatal',
    meaning: 'The service cannot continue, for `reason`, and ends within `withinMs` ms.',
    action: 'Do what `reason` says: usually a newer listd has upgraded the database.',
  },
  'service.crashed': {
    level: 'fatal',
    meaning: 'The process ends because of an uncaught error.',
    action: 'Report it, with `err`. Under `listd start` the process is started again.',
  },

  'hangup.ignored': {
    level: 'warn',
    meaning: 'SIGHUP does nothing: settings are read at the start.',
    action: 'Restart listd to apply changed settings. Send SIGTERM to end it.',
  },

  'supervisor.stopping': {
    level: 'info',
    meaning: 'The supervisor stops all processes, starting with those that no other process needs.',
  },
  'data_directory.exposed': {
    level: 'warn',
    meaning: 'Other users of this machine may `others` (read or write) `path`, which only listd should.',
    action: 'Run "listd doctor", which says how to fix it.',
  },
  'process.exited': {
    level: 'warn',
    meaning: 'A process ended unexpectedly; it is started again.',
    action: 'If it repeats, read the preceding lines of that process, and check whether the system ran out of memory.',
  },
  'process.restarted': { level: 'info', meaning: 'The process runs again.' },
  'process.restart_failed': {
    level: 'error',
    meaning: 'The process cannot be started again, for `reason`; trying again at growing intervals.',
    action: 'Fix the cause that `reason` names; a later try then succeeds.',
  },
  'process.hung': {
    level: 'error',
    meaning: 'The process has not answered its supervisor for `silentMs` ms; it is killed and started again.',
    action:
      'Check whether the machine was short of CPU or memory, or the process was stopped by a debugger. Otherwise report it, with the preceding lines of that process.',
  },
  'process.killed': { level: 'warn', meaning: 'The process was killed because it did not end within `withinMs` ms.' },
  'process.stuck': {
    level: 'error',
    meaning: 'The process was killed but does not seem to end; nothing waits for it any more.',
    action: 'Look for it with `ps`; it may be waiting for a disk that does not answer.',
  },
  'nats_server.orphan_found': {
    level: 'warn',
    meaning: 'A nats-server has outlived its supervisor and its guard; it is ended before another one starts.',
  },
  'nats_server.port_taken': {
    level: 'warn',
    meaning: 'Another program uses the port of nats-server; nats-server uses another port.',
  },
  'nats_server.files_kept': {
    level: 'warn',
    meaning:
      'The files of nats-server cannot be written, for `reason`; it starts with the files of the previous start.',
    action: 'Make room on the disk of the data directory.',
  },
  'nats_server.guard_lost': {
    level: 'warn',
    meaning: 'The guard of nats-server is gone; nats-server is ended, and both are started again.',
  },
  'nats_server.warning_reported': { level: 'warn', meaning: 'nats-server printed a warning, in `text`.' },
  'nats_server.error_reported': {
    level: 'error',
    meaning: 'nats-server printed an error, in `text`.',
    action: 'Do what `text` says; most often the disk is full or its folder cannot be written.',
  },
} as const
