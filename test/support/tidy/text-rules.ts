import type { Finding, SourceFile } from './source-files.ts'

type TextRule = { what: RegExp; in: RegExp; except?: RegExp; remedy: string }

const product = /^(services|shared)\/.*\.tsx?$/
/** This file writes programs for others to run. */
const programText = 'services/dashboard/parts/copy-as/call-text.ts'
const everything = /./

/** Forbidden text in lines, and where it is forbidden. Comment lines are checked only with `everything`. */
const rules: TextRule[] = [
  { what: /^export default\b/, in: /\.tsx?$/, remedy: 'export it by name' },
  {
    what: /^export (type )?(\*|\{[^}]*\}) .*from '[.#]/,
    in: /\.tsx?$/,
    except: /^client\/src\/(main|manage|realtime)\.ts$/,
    remedy: 'import it from where it is defined',
  },
  {
    what: /\.\.\.\{|^\s*\.\.\.\[[^\]]*\],?$/,
    in: /\.tsx?$/,
    except: /^test\/support\/tidy\//,
    remedy: 'write what it spreads in its place, and let the formatter break the lines',
  },
  {
    what: /\bprocess\.env\b/,
    in: product,
    except: new RegExp(`^(shared/config/|${programText})`),
    remedy: 'make it a setting in shared/config',
  },
  {
    what: /(?<![.\w])fetch\(/,
    in: product,
    except: new RegExp(
      `^(services/dashboard/api/session\\.ts|services/supervisor/remote/webhooks/forward\\.ts|${programText})$`,
    ),
    remedy:
      'only the HTTP client of services/webhook-dispatcher calls servers, the page through its api/session.ts, and "listd webhooks listen"',
  },
  {
    what: /[`'"]\s*(select\s.*\bfrom\b|insert into\s|update \w+ set\s|delete from\s|create table\s|pragma\s)/i,
    in: product,
    except: /^shared\/data\//,
    remedy: 'SQL belongs into shared/data',
  },
  {
    what: /\b(Date\.now|new Date\(\)|Math\.random|performance\.now|randomUUID|setTimeout|setInterval|process\.)/,
    in: /^shared\/domain\//,
    remedy: 'shared/domain has no clock, chance or I/O; pass the value in',
  },
  {
    what: /\b(isIP(v[46])?|BlockList|SocketAddress)\b/,
    in: product,
    remedy: 'addresses and networks are parsed by shared/net',
  },
  { what: /\b(TODO|FIXME|XXX)\b/, in: everything, except: /^test\/support\/tidy\//, remedy: 'do it, or leave it out' },
  {
    what: /(^|[\s"'`(=])\/(home|root|Users|work|mnt)\/\w/,
    in: everything,
    except: /^test\/support\/tidy\//,
    remedy: 'no path of one machine belongs into the project',
  },
  {
    what: /\btest\.only\b|\.skip\(|\.failing\(/,
    in: /^test\//,
    except: /^test\/support\/tidy\//,
    remedy: 'run it, or delete it',
  },
  {
    what: /#shared\/domain\/access\/permissions\.ts|#services\/gateway\/auth\//,
    in: /^test\/support\/access\//,
    remedy: 'what the permissions are compared with shares no code with them',
  },
  ...Object.entries({
    judge: 'validate, or decide',
    anybodys: 'regardlessOfOwner',
    giveOut: 'fan out',
    takeBack: 'refund',
    '(itemSight|sightOf)\\b': 'visibility',
    '(mayEver|isEverPermitted|hopeless)\\b': 'couldEverBeAllowed, or couldEverBePermitted',
    '(LookUpCache|NotedUses)\\b': 'cache, or last-used recorder',
    'shapes\\b': 'schemas',
    '(atWork|underWay)\\b': 'inFlight',
    'pulse\\b': 'heartbeat',
    'firstWord\\b': 'first message',
    '(company|crowded)\\b': 'linger, or saturated',
    '(LockedQueues?|SeenQueues)\\b': 'QueueState',
    '(writes?Together|togetherBy)\\b': 'atomicBatch',
    '\\w*(?<!de)fault': 'error, or failure',
    'goesOn\\b': 'shouldContinue',
    'note(Login|Uses|Check|Backup|Answer|Lost|Parts|Cpu)\\b': 'record',
    '(makeAttempt|sealAnew|resetFarRetries|keptRequest|madeChange)\\b':
      'limitAttempts, reseal, clampRetries, idempotency record, applied change',
    '(createTurns|inTurn|RequestTurns)\\b': 'admission queue',
    '(itemMutex|afterOtherChanges|onceByKey)\\b': 'exclusive, changeItems, idempotent request',
    '\\w*subscriber': 'listener',
    '(onCommitted|commitFew|arePlain|areAlike)\\b': 'announce, or applyWrites',
  }).map(([gone, word]) => ({
    what: new RegExp(`\\b${gone}`, 'i'),
    in: everything,
    except: /^(?!services\/|shared\/)/,
    remedy: `call it by the field's word: ${word}`,
  })),
  ...wordRules(),
  {
    what: /\bperformance\.now\b|\bprocess\.(cpuUsage|hrtime)\b/,
    in: /^test\/(unit|integration)\//,
    remedy: 'assert no time that passed: prove what brings it about, and measure in bench or test/soak',
  },
]

/**
 * Words of everyday speech for which the field has a term. They may stand in names, and at the beginning or end of one. What programs
 * read keeps the name that it has: the status `refused` of a run, and that count of an import.
 */
function wordRules(): TextRule[] {
  const words = {
    made: 'created, built, generated, computed, sent or applied',
    told: 'reported, notified, returned or distinguished',
    beside: 'next to, in addition to, together with or while',
    'in vain': 'without success',
    'refus(e|es|al|als|ing)(?! the connection)': 'reject, rejection',
    '(?<!connections? )(is|are|was|were|be|been|being|not|and|or) refused': 'rejected',
  }
  return Object.entries(words).map(([word, term]) => {
    const inName = word.charAt(0).toUpperCase() + word.slice(1)
    return {
      what: new RegExp(`(?<![A-Za-z])${word}(?![a-z])|(?<=[a-z])${inName}(?![a-z])|^\\W*${inName}(?![a-z])`),
      in: everything,
      except: /^(CHANGELOG\.md|LICENSE|test\/(support\/tidy\/|tidy\.test\.ts)|shared\/data\/migrations\/007-)/,
      remedy: `use the term of the field: ${term}`,
    }
  })
}

export function textFindings(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, lines }) =>
    rules
      .filter((rule) => rule.in.test(path) && !rule.except?.test(path))
      .flatMap((rule) => lines.flatMap((line, n) => (breaks(rule, line) ? [finding(path, n, rule)] : []))),
  )
}

function breaks(rule: TextRule, line: string): boolean {
  return rule.what.test(line) && (rule.in === everything || !/^\s*(\*|\/\/|\/\*)/.test(line))
}

function finding(path: string, n: number, { remedy }: TextRule): Finding {
  return { path, line: n + 1, remedy }
}

/** Names that do not say what a file contains. */
const empty = /(^|[-/])(managers?|helpers?|utils?|utilities|common|misc|stuff)([-./]|$)/

export function nameFindings(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path }) => [
    ...(empty.test(path) ? [{ path, line: 1, remedy: 'name the file after what it holds' }] : []),
    ...(/\/index\.ts$/.test(path) && path !== 'services/gateway/resources/index.ts'
      ? [{ path, line: 1, remedy: 'no barrels: import from where things are defined' }]
      : []),
    ...(/^(services|shared|client|test)\/.*[A-Z_].*\.tsx?$/.test(path)
      ? [{ path, line: 1, remedy: 'file names are lower-case words joined by hyphens' }]
      : []),
  ])
}
