/**
 * Every event that is logged, by the stable name that stands in the field `event` of its lines. docs/logging.md shows this table.
 * Levels: fatal, the process ends; error, someone should look; warn, it recovers by itself; info, one line per unit of work.
 */
export const logEvents = {
  'service.started': { level: 'info', meaning: 'The service is ready.' },
  'service.stopping': {
    level: 'info',
    meaning: 'The service was asked to stop, for `reason`, and has `withinMs` to finish what is under way.',
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
    meaning: 'The service can do its work no more, for `reason`, and ends within `withinMs`.',
    action: 'Do what `reason` says: usually a newer listd has upgraded the database.',
  },
  'service.crashed': {
    level: 'fatal',
    meaning: 'An error that nothing caught ends the process.',
    action: 'Report it, with `err`. Under `listd start` the process is started again.',
  },

  'supervisor.stopping': { level: 'info', meaning: 'The supervisor stops all processes, one after the other.' },
  'data_directory.exposed': {
    level: 'warn',
    meaning: 'Other users of this machine may `others` (read or write) `path`, which only listd should.',
    action: 'Run "listd doctor", which says how to close it.',
  },
  'process.exited': {
    level: 'warn',
    meaning: 'A process ended although it was not asked to; it is started again.',
    action: 'If it repeats, read the lines of that process before it, and look whether the system ran out of memory.',
  },
  'process.restarted': { level: 'info', meaning: 'The process runs again.' },
  'process.restart_failed': {
    level: 'error',
    meaning: 'The process cannot be started again for `reason`; trying again, ever more slowly.',
    action: 'Fix what `reason` names; the next try finds it.',
  },
  'process.killed': { level: 'warn', meaning: 'The process was killed because it did not end within `withinMs`.' },
  'process.stuck': {
    level: 'error',
    meaning: 'The process does not seem to end although it was killed; it is left behind.',
    action: 'Look for it with `ps`; it may be waiting for a disk that does not answer.',
  },
  'nats_server.orphan_found': {
    level: 'warn',
    meaning: 'A nats-server has outlived its supervisor and its guard; it is ended before another one starts.',
  },
  'nats_server.port_taken': {
    level: 'warn',
    meaning: 'Another program holds the port of nats-server; it gets another port.',
  },
  'nats_server.files_kept': {
    level: 'warn',
    meaning: 'The files of nats-server cannot be written, for `reason`; it starts with those of the start before.',
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
    action: 'Do what `text` asks for; most often the disk is full or its folder cannot be written.',
  },

  'nats.connected': { level: 'info', meaning: 'Connected to NATS.' },
  'nats.unavailable': {
    level: 'warn',
    meaning: 'NATS cannot be reached; trying again until it can.',
    action:
      'If `nats.connected` does not follow, look at the NATS server and `nats.url`; logins are answered 503 until then.',
  },
  'nats.lost': {
    level: 'warn',
    meaning: 'The connection to NATS was lost; connecting again.',
    action: 'As for `nats.unavailable`.',
  },
  'nats.setup_failed': {
    level: 'warn',
    meaning: 'The connection to NATS could not be set up; connecting again.',
  },
  'installation.not_asked': {
    level: 'warn',
    meaning: 'Other processes could not be asked whether they serve the same database; the next connection asks again.',
    action: 'Look at the database: its mark could not be written.',
  },
  'stream.create_failed': {
    level: 'warn',
    meaning: 'The stream cannot be created in NATS; trying again.',
    action: 'If it repeats, check that JetStream is on, that the NATS user may use it, and `nats.replicas`.',
  },
  'stream.read_failed': {
    level: 'warn',
    meaning: 'Events cannot be read from the stream; trying again, and finding them in the database meanwhile.',
    action: 'As for `stream.create_failed`.',
  },
  'stream.stalled': {
    level: 'warn',
    meaning: 'The stream does not give the messages that it has; it is emptied.',
    action: 'Update nats-server if it is older than 2.10, and look at the disk of its store.',
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
    action: 'Make sure that all services run the same version; otherwise report it, with `err`.',
  },
  'bus.request_expired': {
    level: 'warn',
    meaning: 'A request was dropped because its deadline had passed.',
    action: 'If it repeats, the service has more to do than it can, or the clocks of the machines differ.',
  },
  'bus.request_failed': {
    level: 'error',
    meaning: 'A request from another service failed with an unexpected error.',
    action: 'Read `err`: look at the database if it names it, otherwise report it.',
  },
  'bus.response_invalid': {
    level: 'error',
    meaning: 'Another service gave an answer of an unknown shape.',
    action: 'Make sure that all services run the same version.',
  },

  'request.completed': {
    level: 'info',
    meaning: 'A request was answered; status 499 says that the client went away first.',
  },
  'request.failed': {
    level: 'error',
    meaning: 'A request failed with an unexpected error and was answered 500.',
    action: 'Read `err`: look at the database if it names it, otherwise report it.',
  },
  'response.send_failed': {
    level: 'error',
    meaning: 'An answer could not be sent; the connection was closed.',
    action: 'Report it, with `err`.',
  },
  'validation_thread.ended': {
    level: 'warn',
    meaning: 'The validation thread took too long, ran out of memory or crashed; the next task starts another.',
    action:
      'If it repeats, look for the requests answered 503 at that time: their JSON Schema or data costs too much to check.',
  },
  'schema_sync.completed': {
    level: 'info',
    meaning: 'A schema sync was applied, blocked, or only tried with `dryRun`.',
  },
  'schema_sync.moved': {
    level: 'info',
    meaning: 'Lists were given to a scope or to none, or a move was blocked or only tried with `dryRun`.',
  },
  'index.built': { level: 'info', meaning: 'An index holds the values of all stored items; it can be used.' },
  'index.build_failed': {
    level: 'warn',
    meaning: 'An index cannot be built for `reason`: the stored items have values that it does not allow.',
    action: 'Its event `index-build-failed` names the items. The index can be built again with `POST …/rebuild`.',
  },
  'index.build_interrupted': {
    level: 'warn',
    meaning: 'The build of an index met an error; it goes on a little later.',
    action: 'If it repeats, read `err`: look at the database if it names it, otherwise report it.',
  },
  'list.purged': { level: 'info', meaning: 'All that a deleted list held is deleted.' },
  'last_use.not_recorded': {
    level: 'warn',
    meaning: 'The last use of API tokens or sessions could not be written; their next use writes it.',
  },

  'user.logged_in': { level: 'info', meaning: 'A user logged in.' },
  'user.first_created': { level: 'info', meaning: 'The first user was created with the set-up link.' },
  'user.credentials_changed': {
    level: 'info',
    meaning: 'A user changed their email or password; their other sessions ended.',
  },
  'identity.logged_in': { level: 'info', meaning: 'An identity logged in.' },
  'identity.registered': { level: 'info', meaning: 'An identity was registered.' },
  'identity.password_changed': {
    level: 'info',
    meaning: 'An identity changed its password; its other sessions have ended.',
  },
  'identity.password_reset': {
    level: 'info',
    meaning: 'The password of an identity was reset with a token; all its sessions have ended.',
  },
  'password_hash.invalid': {
    level: 'error',
    meaning: 'The stored password hash of `subjectId` cannot be verified, so no one can log in with it.',
    action: 'Set a new password. Something other than listd has written to the database.',
  },
  'background_task.failed': {
    level: 'warn',
    meaning:
      'Work that was left for after the answer, such as a stronger password hash, failed; the next login does it.',
  },

  'secrets.key_missing': {
    level: 'error',
    meaning: 'A signing secret cannot be stored: this process does not have the key `keyId`, which seals now.',
    action:
      'Give this process that key too; "listd secrets status" tells which keys there are. Until then it answers 503.',
  },
  'delivery.secret_unopened': {
    level: 'error',
    meaning:
      'The signing secret of the webhook cannot be opened for `reason`; its delivery was not sent and is retried.',
    action: 'Give this process the key that `reason` names. Otherwise replace the secret of the webhook.',
  },
  'delivery.old_secret_unopened': {
    level: 'warn',
    meaning:
      'The replaced secret of the webhook cannot be opened for `reason`; its delivery has only the signature of the new one.',
    action: 'Give this process the key that `reason` names, if there is one, until the replaced secret is a day old.',
  },
  'delivery.attempted': {
    level: 'info',
    meaning: 'An attempt at a delivery ended, with `status`, or with `error` when there was no answer.',
  },
  'dispatcher.cycle_failed': {
    level: 'warn',
    meaning: 'A cycle of the dispatcher could not be written; it is tried again.',
    action: 'If `failures` grows, look at the database. Deliveries wait until `dispatcher.cycle_recovered`.',
  },
  'dispatcher.cycle_recovered': { level: 'info', meaning: 'The cycles of the dispatcher succeed again.' },
  'retry.rescheduled': {
    level: 'warn',
    meaning: 'Retries were due in the far future, as if the clock had been ahead; they are made now.',
    action: 'Check the clock of the database server, or of this machine with SQLite.',
  },

  'job.failed': {
    level: 'warn',
    meaning: 'A background job failed; it is tried again at its next time.',
    action: 'If it repeats for the same `job`, look at the database; old data may stay.',
  },
  'retention.deliveries_deleted': { level: 'info', meaning: 'Settled deliveries older than `days` days were deleted.' },
  'retention.events_deleted': {
    level: 'info',
    meaning: 'Entries of the event log older than `days` days were deleted.',
  },
  'retention.idempotency_keys_deleted': {
    level: 'info',
    meaning: 'Idempotency keys older than a day were deleted.',
  },
  'retention.old_secrets_wiped': {
    level: 'info',
    meaning: 'Signing secrets that had been replaced a day before were wiped from the database.',
  },
  'retention.sign_ins_deleted': {
    level: 'info',
    meaning: 'Sessions that had ended, old counts of failed logins and expired one-time tokens were deleted.',
  },
} as const satisfies Readonly<Record<string, LogEvent>>

export type LogEventName = keyof typeof logEvents

/** `meaning` is also the sentence of its lines; `action` is what an operator should do. */
type LogEvent =
  | { level: 'info' | 'warn'; meaning: string; action?: string }
  | { level: 'error' | 'fatal'; meaning: string; action: string }
