import { type Command, Option } from 'commander'
import type { Terminal } from '../terminal/terminal.ts'
import { asJson, examples, unasked } from './options.ts'

/** Commands that call the listd at LISTD_URL with LISTD_TOKEN; their imports are loaded when one is called. */
export function addSchemaCommands(listd: Command, terminal: Terminal): void {
  const schema = listd
    .command('schema')
    .description('plan and apply documents of lists at the listd of LISTD_URL, with the API token LISTD_TOKEN')
  addSyncs(schema, terminal)
  addReads(schema, terminal)
  addMove(schema, terminal)
  listd
    .command('types [file]')
    .description('print TypeScript types for listd-client, from a sync document or from the server')
    .option('--scope <scope>', "only lists managed by this scope; '' for lists without a scope")
    .addHelpText(...examples('listd types lists.json > lists.ts', 'listd types --scope cookbook > lists.ts'))
    .action(async (file, options) => (await import('../remote/schema/types.ts')).typesCommand(terminal, file, options))
}

function addSyncs(schema: Command, terminal: Terminal): void {
  withFlags(schema.command('plan <file>').description('show what a sync document would change; changes nothing'))
    .option('--out <plan>', 'write the plan to a file for "apply"')
    .option('--exit-code', 'exit with code 10 when there are changes to apply')
    .option(...asJson)
    .addHelpText(...examples('listd schema plan lists.json', 'listd schema plan lists.json --prune --out plan.json'))
    .action(async (file, options) => (await import('../remote/schema/plan.ts')).planCommand(terminal, file, options))
  withFlags(schema.command('apply <file>').description('apply a sync document or a saved plan, after confirmation'))
    .option(...unasked)
    .option(...asJson)
    .addHelpText(...examples('listd schema apply lists.json', 'listd schema apply plan.json --yes'))
    .action(async (file, options) => (await import('../remote/schema/apply.ts')).applyCommand(terminal, file, options))
}

function withFlags(command: Command): Command {
  return command
    .option('--prune', 'delete lists and indexes of the scope that are not in the document')
    .option('--allow-rebuild', 'allow indexes on lists with items to change their pointer or value type')
    .option('--allow-destructive', 'allow items to be deleted with their list, and guarded values to become visible')
}

function addReads(schema: Command, terminal: Terminal): void {
  schema
    .command('check <file>')
    .description('validate a sync document as the server does, without a server')
    .option(...asJson)
    .addHelpText(...examples('listd schema check lists.json'))
    .action(async (file, options) => (await import('../remote/check.ts')).checkCommand(terminal, file, options))
  schema
    .command('pull')
    .description('print the lists as a sync document')
    .option('--scope <scope>', "only lists managed by this scope; '' for lists without a scope")
    .option('--tagged <tags>', 'only lists with these tags; a comma means OR')
    .option('--lists <names>', 'only these lists, by path name or id, separated by commas')
    .option('--out <file>', 'write it to a file')
    .addHelpText(...examples('listd schema pull > lists.json', 'listd schema pull --scope cookbook --out lists.json'))
    .action(async (options) => (await import('../remote/schema/pull.ts')).pullCommand(terminal, options))
  schema
    .command('wait [lists...]')
    .description('wait until the indexes of all lists, or of the given ones, are built')
    .option(...asJson)
    .addHelpText(...examples('listd schema wait', 'listd schema wait recipes'))
    .action(async (lists, options) => (await import('../remote/schema/wait.ts')).waitCommand(terminal, lists, options))
}

function addMove(schema: Command, terminal: Terminal): void {
  schema
    .command('move [lists...]')
    .description('move lists to another scope, after confirmation')
    .option('--from <scope>', 'all lists of this scope, instead of naming them')
    .addOption(new Option('--to <scope>', 'the new scope').conflicts('release'))
    .option('--release', 'leave the lists without a scope')
    .option('--dry-run', 'only show what would be moved')
    .option(...unasked)
    .option(...asJson)
    .addHelpText(
      ...examples('listd schema move recipes --to cookbook', 'listd schema move --from old-app --release --dry-run'),
    )
    .action(async (lists, options) => (await import('../remote/schema/move.ts')).moveCommand(terminal, lists, options))
}
