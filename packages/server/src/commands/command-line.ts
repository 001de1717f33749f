/** The command line of `dala`: its declarations, from which arguments are read and help is written. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** Error of wrong use, which ends the program with code 2; the message is one sentence. */
export class UsageError extends Error {
  override name = 'UsageError'
}

interface PositionalDeclaration {
  name: string
  description: string
  isOptional?: true
}

interface OptionDeclaration {
  /** Name of the option's value in help; an option without one is a switch. */
  value?: string
  description: string
  isRequired?: true
}

/** The arguments and the surroundings of a command. */
export interface CommandInput {
  /** Values of the positionals in the order of their declaration. */
  positionals: readonly string[]
  /** Values of the given options: a text, or true for a switch. */
  options: Readonly<Record<string, string | true>>
  environment: Readonly<Record<string, string | undefined>>
  /** Prints a line for people; prints nothing with `--json`. */
  printLine: (line: string) => void
}

/** The result of a command: the document of `--json`, and whether the command failed although it has one. */
export interface CommandResult {
  document: unknown
  hasFailed?: boolean
}

export interface CommandDeclaration {
  /** Name of one or two words, `migrate` or `verify audit`. */
  name: string
  summary: string
  positionals?: readonly PositionalDeclaration[]
  options?: Readonly<Record<string, OptionDeclaration>>
  /** Whether the command runs on and writes a log, so that it has no `--json`. */
  isEndless?: true
  /** Loads the code of the command when it runs. */
  load: () => Promise<(input: CommandInput) => Promise<CommandResult>>
}

const commonOptions: Readonly<Record<string, OptionDeclaration>> = {
  help: { description: 'Shows this help.' },
}
const jsonOption: OptionDeclaration = {
  description: 'Writes one JSON document instead of lines: the result, or {"error": {"message"}}.',
}

/** The codes with which every command ends, for help. */
export const exitCodes = { done: 0, failed: 1, wrongUse: 2 } as const
const exitCodeLines = [
  'Exit codes:',
  `  ${exitCodes.done}  done`,
  `  ${exitCodes.failed}  failed, or \`dala doctor\` found a failure`,
  `  ${exitCodes.wrongUse}  wrong use: an unknown command or option, too few or too many arguments`,
]

function optionsOf({ options, isEndless }: CommandDeclaration): Record<string, OptionDeclaration> {
  return { ...options, ...(!isEndless && { json: jsonOption }), ...commonOptions }
}

/** A read command line. */
export type Request =
  | { kind: 'version' }
  | { kind: 'help'; text: string }
  | { kind: 'run'; command: CommandDeclaration; input: Pick<CommandInput, 'positionals' | 'options'> }

/**
 * Reads the arguments of the program.
 *
 * @param commands - The declared commands.
 * @param argv - The arguments.
 * @returns What to do.
 * @throws UsageError for an unknown command or option, a missing value, and too few or too many arguments.
 */
export function readRequest(commands: readonly CommandDeclaration[], argv: readonly string[]): Request {
  const firstOption = argv.findIndex((argument) => argument.startsWith('-'))
  const words = firstOption < 0 ? argv : argv.slice(0, firstOption)
  const [firstWord] = words
  const isHelpRequested = argv.includes('--help') || argv.includes('-h')
  if (firstWord === undefined) {
    if (argv[0] === '--version') return { kind: 'version' }
    if (isHelpRequested || argv.length === 0) return { kind: 'help', text: overview(commands) }
    throw new UsageError(`Name a command before ${argv[0]}; dala --help lists them.`)
  }
  if (firstWord === 'help') return { kind: 'help', text: helpOf(commands, words.slice(1)) }
  if (isHelpRequested) return { kind: 'help', text: helpOf(commands, words) }
  const command = findCommand(commands, words)
  return { kind: 'run', command, input: readInput(command, argv.slice(command.name.split(' ').length)) }
}

const startsWith = (words: readonly string[], name: string) =>
  name.split(' ').every((nameWord, index) => words[index] === nameWord)

function findCommand(commands: readonly CommandDeclaration[], words: readonly string[]): CommandDeclaration {
  const command = commands.find(({ name }) => startsWith(words, name))
  if (command) return command
  const [firstWord = '', secondWord] = words
  const group = commands.filter(({ name }) => name.startsWith(`${firstWord} `)).map(({ name }) => name.split(' ')[1])
  if (group.length === 0) throw new UsageError(`There is no command ${firstWord}; dala --help lists the commands.`)
  if (secondWord === undefined) throw new UsageError(`Name a command of dala ${firstWord}: ${group.join(', ')}.`)
  throw new UsageError(
    `There is no command ${firstWord} ${secondWord}; dala ${firstWord} has the commands ${group.join(', ')}.`,
  )
}

function readInput(
  command: CommandDeclaration,
  args: readonly string[],
): Pick<CommandInput, 'positionals' | 'options'> {
  const declaredOptions = optionsOf(command)
  const configuration: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(declaredOptions).map(([name, { value }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string' },
    ]),
  )
  const { tokens } = parseArgs({
    args: [...args],
    options: configuration,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const positionals: string[] = []
  const options: Record<string, string | true> = {}
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const declaredOption = Object.hasOwn(declaredOptions, token.name) ? declaredOptions[token.name] : undefined
    if (!declaredOption)
      throw new UsageError(`dala ${command.name} has no option ${token.rawName}; see dala help ${command.name}.`)
    if (declaredOption.value === undefined) {
      if (token.value !== undefined) throw new UsageError(`The option ${token.rawName} takes no value.`)
      options[token.name] = true
    } else {
      const isMissing = token.value === undefined || (!token.inlineValue && token.value.startsWith('-'))
      if (isMissing || token.value === '')
        throw new UsageError(`The option ${token.rawName} needs a value: ${token.rawName} <${declaredOption.value}>.`)
      options[token.name] = token.value ?? ''
    }
  }
  assertCount(command, positionals)
  const missing = Object.entries(declaredOptions).find(([name, { isRequired }]) => isRequired && !(name in options))
  if (missing) throw new UsageError(`The option --${missing[0]} is missing: ${usageOf(command)}.`)
  return { positionals, options }
}

function assertCount(command: CommandDeclaration, positionals: readonly string[]): void {
  const declaredPositionals = command.positionals ?? []
  const missing = declaredPositionals.find(({ isOptional }, index) => !isOptional && positionals[index] === undefined)
  if (missing) throw new UsageError(`The <${missing.name}> is missing: ${usageOf(command)}.`)
  const extraPositional = positionals[declaredPositionals.length]
  if (extraPositional !== undefined)
    throw new UsageError(`The argument ${extraPositional} is too many: ${usageOf(command)}.`)
}

const formOf = (name: string, { value }: OptionDeclaration) => `--${name}${value === undefined ? '' : ` <${value}>`}`

/** The form of a command in one line: `dala restore <backup> [--overwrite] [--json]`. */
function usageOf(command: CommandDeclaration): string {
  const positionals = (command.positionals ?? []).map(({ name, isOptional }) =>
    isOptional ? `[${name}]` : `<${name}>`,
  )
  const options = Object.entries(optionsOf(command))
    .filter(([name]) => !Object.hasOwn(commonOptions, name))
    .map(([name, option]) => (option.isRequired ? formOf(name, option) : `[${formOf(name, option)}]`))
  return ['dala', command.name, ...positionals, ...options].join(' ')
}

/** Formats rows of a name and a sentence, with the sentences below each other. */
function alignRows(rows: readonly (readonly [name: string, sentence: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, sentence]) => `  ${name.padEnd(width)}  ${sentence}`)
}

function overview(commands: readonly CommandDeclaration[]): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const)
  return [
    'Usage: dala <command> [arguments]',
    '',
    'Commands:',
    ...alignRows(rows),
    '',
    'dala help <command>, or dala <command> --help, explains a command; dala --version prints the version.',
    'Settings are read from the environment, as by the server.',
    '',
    ...exitCodeLines,
  ].join('\n')
}

function helpOf(commands: readonly CommandDeclaration[], words: readonly string[]): string {
  const [firstWord] = words
  if (firstWord === undefined) return overview(commands)
  const group = commands.filter(({ name }) => name.startsWith(`${firstWord} `))
  const chosen = group.length > 0 && words.length === 1 ? group : [findCommand(commands, words)]
  return [...chosen.map(describeCommand), exitCodeLines.join('\n')].join('\n\n')
}

function describeCommand(command: CommandDeclaration): string {
  const positionals = (command.positionals ?? []).map(({ name, description }) => [`<${name}>`, description] as const)
  const options = Object.entries(optionsOf(command)).map(
    ([name, option]) => [formOf(name, option), option.description] as const,
  )
  return [`Usage: ${usageOf(command)}`, command.summary, ...alignRows([...positionals, ...options])].join('\n')
}
