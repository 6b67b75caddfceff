import { type Command, Option } from 'commander'
import { fileFormats } from '#shared/domain/item-transfer/rows.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { asJson, examples } from './options.ts'

/** Commands that import and export the items of a list over HTTP. */
export function addItemCommands(listd: Command, terminal: Terminal): void {
  const items = listd
    .command('items')
    .description('import and export items of a list at the listd of LISTD_URL, with the API token LISTD_TOKEN')
  addImport(items, terminal)
  addExport(items, terminal)
}

const ofList = ['--list <list>', 'path name or id of the list'] as const

/** An option that may be repeated, each time with one value. */
const each = (value: string, values: string[] = []) => [...values, value]

function addImport(items: Command, terminal: Terminal): void {
  items
    .command('import <file>')
    .description('create an item from each row of a file, or of standard input with "-"')
    .requiredOption(...ofList)
    .addOption(
      new Option('--format <format>', 'format of the file, by default from its name').choices([...fileFormats]),
    )
    .option(
      '--map <column=/pointer:type>',
      'target and type of a CSV column; #3 is the third column; may be repeated',
      each,
    )
    .addOption(new Option('--empty <how>', 'omit empty cells, or import them as null').choices(['omit', 'null']))
    .option('--unguard-formulas', 'the CSV was exported with --guard-formulas: remove its apostrophes')
    .option('--dry-run', 'only report the rows that would be rejected')
    .option('--batch <rows>', 'rows per request, by default 500')
    .option('--resume', 'continue an interrupted import of the file')
    .option(
      '--source <name>',
      'identifies the source instead of the file: equal rows of a source are created once a day',
    )
    .option('--rejects <file>', 'where rejected rows go, by default <file>.rejected.csv, .ndjson or .json')
    .option(...asJson)
    .addHelpText(
      ...examples(
        'listd items import recipes.ndjson --list recipes --dry-run',
        "listd items import recipes.csv --list recipes --map 'serves=/serves:number' --map note=",
        'listd items import recipes.csv --list recipes --resume',
      ),
    )
    .action(async (file, options) =>
      (await import('../remote/items/import-items.ts')).importItemsCommand(terminal, file, options),
    )
}

function addExport(items: Command, terminal: Terminal): void {
  items
    .command('export')
    .description('print the items of a list, optionally filtered')
    .requiredOption(...ofList)
    .addOption(new Option('--format <format>', 'NDJSON or CSV').choices(['ndjson', 'csv']).default('ndjson'))
    .option('--whole', 'NDJSON with whole items, not only their data')
    .option('--fields <fields>', 'CSV columns, separated by commas: pointers into the data, or fields such as id')
    .option('--guard-formulas', 'put an apostrophe before CSV texts that a spreadsheet would run as formulas')
    .option('--filter <name=value>', 'only items that match, as in an API query; may be repeated', each)
    .option('--order <order>', 'sort by a field or an index, by default createdAt')
    .addOption(new Option('--direction <direction>', 'the sort direction').choices(['asc', 'desc']))
    .option('-o, --output <file>', 'write it to a file')
    .addHelpText(
      ...examples(
        'listd items export --list recipes > recipes.ndjson',
        'listd items export --list recipes --format csv --fields id,/title,/serves --filter serves=gte:4 -o recipes.csv',
      ),
    )
    .action(async (options) => (await import('../remote/items/export-items.ts')).exportItemsCommand(terminal, options))
}
