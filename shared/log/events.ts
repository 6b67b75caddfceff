import { connectionEvents } from './connection-events.ts'
import { processEvents } from './process-events.ts'

/**
 * Every event that is logged, by the stable name that stands in the field `event` of its lines. docs/logging.md shows this table.
 * Levels: fatal, the process ends; error, someone should look; warn, it recovers on its own; info, one line per unit of work.
 */
export const logEvents = {
  ...processEvents,
  ...connectionEvents,

  'request.completed': {
    level: 'info',
    meaning: 'A request was answered; status 499 says that the client went away first.',
  },
  'request.failed': {
    level: 'error',
    meaning: 'A request failed with an unexpected error and was answered 500; a stream was cut off.',
    action: 'Read `err`: if it names the database, check the database; otherwise report it.',
  },
  'open_files.limited': {
    level: 'warn',
    meaning: 'The process may open only `limit` files, so it accepts at most `connections` connections.',
    action: 'Raise the limit: `ulimit -n 65536`, or `LimitNOFILE` of the systemd unit.',
  },
  'connections.limited': {
    level: 'warn',
    meaning: 'There were more than `max` connections, and `closed` of them were closed; this is logged once a minute.',
    action: 'Look for a client that opens connections and keeps them. Run more gateways if there are so many clients.',
  },
  'gateway.drain_timed_out': {
    level: 'warn',
    meaning:
      'Requests took longer than the time to drain: `requests` were answered 503, and `responses` were cut off in the middle.',
    action: 'Clients retry them. If it repeats, look for uploads that are slow, or a database that answers slowly.',
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
    meaning: 'A schema sync was applied, blocked, or planned by a dry run.',
  },
  'schema_sync.moved': {
    level: 'info',
    meaning: 'Lists were moved to a scope or to none, or the move was blocked or planned by a dry run.',
  },
  'index.built': { level: 'info', meaning: 'An index has the values of all stored items; it can be used.' },
  'index.words_built': {
    level: 'info',
    meaning: 'The words of all stored items of a list can be searched.',
  },
  'index.build_failed': {
    level: 'warn',
    meaning: 'An index cannot be built, for `reason`: the stored items have values that it does not allow.',
    action: 'Its event `index-build-failed` names the items. The index can be built again with `POST …/rebuild`.',
  },
  'index.build_interrupted': {
    level: 'warn',
    meaning: 'The build of an index failed with an error; it continues a little later.',
    action: 'If it repeats, read `err`: if it names the database, check the database; otherwise report it.',
  },
  'list.purged': { level: 'info', meaning: 'All data of a deleted list is deleted.' },
  'realtime.not_read': {
    level: 'warn',
    meaning: 'The changes for live streams could not be read; they are read again within seconds, and nothing is lost.',
    action: 'Check the database if it repeats.',
  },
  'requests.not_stored': {
    level: 'warn',
    meaning: 'Counts of requests could not be stored; they are kept, and stored with the next ones.',
    action: 'Check the database if it repeats.',
  },
  'last_use.not_recorded': {
    level: 'warn',
    meaning: 'The last use of API tokens or sessions could not be written; their next use writes it.',
  },

  'login.failed': {
    level: 'info',
    meaning: 'A login was rejected, or a current password was wrong.',
    action: 'Nothing, unless many come from one `clientAddress`: fail2ban can read these lines.',
  },
  'login.locked': {
    level: 'warn',
    meaning: 'A login was rejected without a check, because too many before it had failed.',
    action:
      'If it is not an attack, the user who is locked out waits, or gets a new password with `listd user set-password`.',
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
      'Work that follows the answer, such as storing a stronger password hash, failed; the next login repeats it.',
  },

  'secrets.key_missing': {
    level: 'error',
    meaning: 'A signing secret cannot be stored: this process does not have the sealing key `keyId`.',
    action:
      'Give this process that key too; "listd secrets status" shows which keys there are. Until then it answers 503.',
  },
  'webhooks.http_allowed': {
    level: 'warn',
    meaning:
      'Deliveries to `networks` may go over plain http, because webhooks.allowHttp is on: anyone on the network path can read and change them.',
    action: 'Set `LISTD_WEBHOOKS_ALLOW_HTTP=false` unless you use it for development.',
  },
  'delivery.secret_unopened': {
    level: 'error',
    meaning:
      'The signing secret or the headers of the webhook cannot be opened, for `reason`; its delivery was not sent and is retried.',
    action:
      'Give this process the key that `reason` names. Otherwise replace the secret and the headers of the webhook.',
  },
  'delivery.old_secret_unopened': {
    level: 'warn',
    meaning:
      'The replaced secret of the webhook cannot be opened, for `reason`; its delivery has only the signature of the new one.',
    action: 'Give this process the key that `reason` names, if there is one, until the replaced secret is a day old.',
  },
  'webhook.deliveries_signed': {
    level: 'info',
    meaning: 'A user requested the signatures of `deliveries` of the webhook, to send them to a receiver of their own.',
  },
  'webhook.request_verified': {
    level: 'info',
    meaning: 'A user checked whether the signature of a request that a receiver got is `valid`.',
  },
  'delivery.attempted': {
    level: 'info',
    meaning: 'An attempt at a delivery ended, with `status`, or with `error` when there was no answer.',
  },
  'webhook.failing': {
    level: 'warn',
    meaning: 'A delivery of the webhook failed for good, and the previous one did not; the receiver is at `host`.',
    action:
      'Notify the owner of the webhook: `webhook.recovered` or `webhook.disabled` will follow. If `error` is the same for many hosts, check your own network and DNS.',
  },
  'webhook.recovered': {
    level: 'info',
    meaning: 'A delivery of the webhook succeeded, after `failures` in a row had failed for good.',
  },
  'webhook.disabled': {
    level: 'error',
    meaning:
      'The webhook was disabled, because `failures` deliveries in a row failed for good; it gets no events, and `waiting` deliveries are kept.',
    action: 'Notify its owner, who has to repair the receiver at `host` and to activate the webhook again.',
  },
  'notification.sent': {
    level: 'info',
    meaning: 'The notice that the webhook was disabled has reached notifications.url, after `attempts`.',
  },
  'notification.failed': {
    level: 'warn',
    meaning:
      'The notice that the webhook was disabled could not be delivered to notifications.url, for `status` or `error`; it is tried again on the schedule of deliveries.',
    action: 'Check the receiver of notices at `host`.',
  },
  'notification.given_up': {
    level: 'error',
    meaning: 'The notice that the webhook was disabled could not be delivered in `attempts`, and nobody is notified.',
    action: 'Check the receiver of notices at `host`, and notify the owner of the webhook.',
  },
  'webhook.behind': {
    level: 'warn',
    meaning:
      'The webhook has the maximum of waiting deliveries; further events are held for it, and sent when the receiver at `host` has caught up.',
    action: 'If `webhook.caught_up` does not follow, notify its owner that the receiver is down or too slow.',
  },
  'webhook.caught_up': {
    level: 'info',
    meaning: 'No events are held for the webhook any more, and half of its bound of waiting deliveries is free.',
  },
  'webhook.events_missed': {
    level: 'error',
    meaning:
      'The webhook misses events, because too many are held for it, or for too long; this is logged once, until it has caught up.',
    action:
      'Notify its owner that the receiver at `host` is down or too slow. The event log has what it missed, and its `missedCount` says how much.',
  },
  'dispatcher.drain_timed_out': {
    level: 'warn',
    meaning: 'Receivers did not answer `attempts` within the time to drain; these are repeated when a dispatcher runs.',
  },
  'dispatcher.cycle_failed': {
    level: 'warn',
    meaning: 'A cycle of the dispatcher could not be written; it is tried again.',
    action: 'If `failures` grows, check the database. Deliveries wait until `dispatcher.cycle_recovered`.',
  },
  'dispatcher.cycle_recovered': { level: 'info', meaning: 'The cycles of the dispatcher succeed again.' },
  'retry.rescheduled': {
    level: 'warn',
    meaning: 'Retries were due in the far future, as if the clock had been ahead; they are sent now.',
    action: 'Check the clock of the database server, or of this machine with SQLite.',
  },

  'job.failed': {
    level: 'warn',
    meaning: 'A background job failed; it is tried again at its next time.',
    action: 'If it repeats for the same `job`, check the database; old data may stay.',
  },
  'retention.behind': {
    level: 'warn',
    meaning:
      'Deletion of old deliveries, events or runs of flows (`what`) has not finished within an hour; it deleted `deleted` rows, and last finished `behindMs` ms ago.',
    action:
      'A single line is harmless, for example after the retention was shortened. If it repeats while `behindMs` grows, more is written than deleted: give the database a faster disk or more CPU, or write less.',
  },
  'retention.deliveries_deleted': { level: 'info', meaning: 'Settled deliveries older than `days` days were deleted.' },
  'retention.held_events_removed': {
    level: 'info',
    meaning:
      'Held events were removed, because their webhooks were deleted, or, as many as `missed`, because they were held for longer than webhooks.maxHeldDays.',
  },
  'retention.events_deleted': {
    level: 'info',
    meaning: 'Entries of the event log older than `days` days were deleted.',
  },
  'retention.idempotency_keys_deleted': {
    level: 'info',
    meaning: 'Idempotency keys older than a day were deleted.',
  },
  'retention.realtime_places_deleted': {
    level: 'info',
    meaning:
      'Positions that live streams could continue from were deleted, because they were older than a day; the events stay in the log.',
  },
  'retention.old_secrets_wiped': {
    level: 'info',
    meaning: 'Signing secrets that had been replaced a day before were wiped from the database.',
  },
  'retention.runs_deleted': {
    level: 'info',
    meaning: 'Runs of flows that were older than `days` days, or beyond the newest 10,000 of their flow, were deleted.',
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
