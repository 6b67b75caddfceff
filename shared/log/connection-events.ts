/** Events of what a process is connected to: NATS, the database, other processes. See `events.ts`. */
export const connectionEvents = {
  'nats.connected': { level: 'info', meaning: 'Connected to NATS.' },
  'nats.unavailable': {
    level: 'warn',
    meaning: 'NATS cannot be reached; trying again until it can.',
    action:
      'If `nats.connected` does not follow, check the NATS server and `nats.url`; logins are answered 503 until then.',
  },
  'nats.lost': {
    level: 'warn',
    meaning: 'The connection to NATS was lost; connecting again.',
    action: 'See `nats.unavailable`.',
  },
  'nats.setup_failed': {
    level: 'warn',
    meaning: 'The connection to NATS could not be set up; connecting again.',
  },
  'database.lost': {
    level: 'error',
    meaning: 'The database cannot be used, for `reason`; everything that needs it is answered 503 until it can.',
    action: 'Fix the cause that `reason` names: it is the error of the database or the network.',
  },
  'database.connected': { level: 'info', meaning: 'The database can be used again.' },
  'storage.failed': {
    level: 'error',
    meaning: 'Nothing can be stored, for `reason`; writes are answered 503, and reads continue.',
    action:
      'Free space on the disk of the database, make it writable again, or grant its user all rights on it. `storage.recovered` follows automatically.',
  },
  'storage.recovered': { level: 'info', meaning: 'Everything can be stored again.' },
  'statement.slow': {
    level: 'warn',
    meaning: 'A statement of the database took a second or longer; it is shown without its values.',
    action:
      'Look for other users of the database, for locks, and for a slow disk. At most ten a minute are logged; `left` is the number omitted before this line.',
  },
  'clock.apart': {
    level: 'warn',
    meaning: 'The clock of the database is `aheadMs` ms ahead of that of this process; a negative number is behind.',
    action:
      'Set the clocks of both machines by NTP. Beyond a minute, readiness is degraded. The line is logged again only after the clocks agreed in between.',
  },
  'installation.not_asked': {
    level: 'warn',
    meaning: 'Other processes could not be queried about the database that they use; the next connection tries again.',
    action: 'Check the database: its mark could not be written.',
  },
  'stream.create_failed': {
    level: 'warn',
    meaning: 'The stream cannot be created in NATS; trying again.',
    action: 'If it repeats, check that JetStream is on, that the NATS user may use it, and `nats.replicas`.',
  },
  'stream.read_failed': {
    level: 'warn',
    meaning: 'Events cannot be read from the stream; trying again, and finding them in the database meanwhile.',
    action: 'See `stream.create_failed`.',
  },
  'stream.stalled': {
    level: 'warn',
    meaning: 'The stream does not deliver its messages; it is emptied.',
    action: 'Update nats-server if it is older than 2.10, and check the disk of its store.',
  },
  'stream.message_invalid': {
    level: 'error',
    meaning: 'A message on the stream is not a group of event ids; it is discarded.',
    action: 'Look for another program that publishes on the subjects of listd.',
  },
  'bus.events_failed': { level: 'warn', meaning: 'Events could not be handled; NATS delivers them again.' },
  'bus.broadcast_failed': {
    level: 'error',
    meaning: 'A broadcast could not be handled; it is not sent again.',
    action: 'Make sure that all services run the same version. If they do, report it, with `err`.',
  },
  'bus.request_expired': {
    level: 'warn',
    meaning: 'A request was dropped because its deadline had passed.',
    action: 'If it repeats, the service is overloaded, or the clocks of the machines differ.',
  },
  'bus.request_failed': {
    level: 'error',
    meaning: 'A request from another service failed with an unexpected error.',
    action: 'Read `err`: if it names the database, check the database; otherwise report it.',
  },
  'bus.response_invalid': {
    level: 'error',
    meaning: 'Another service sent an answer of an unknown shape.',
    action: 'Make sure that all services run the same version.',
  },
} as const
