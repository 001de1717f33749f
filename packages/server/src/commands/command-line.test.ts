import { describe, expect, test } from 'vitest'
import { runInTest } from '../testing/terminal.ts'
import { commands } from './command-list.ts'
import { readRequest } from './command-line.ts'

describe('help', () => {
  test.each([['--help'], ['help'], ['-h'], []])('lists every command for the arguments "%s"', async (...argv) => {
    const { code, output, errors } = await runInTest({}, ...argv)
    expect([code, errors]).toEqual([0, ''])
    for (const { name, summary } of commands) expect(output).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'))
    expect(output).toContain('  2  wrong use')
  })

  test.each(commands.map((command) => [command.name, command] as const))(
    'explains the arguments and exit codes of %s in the same words for both forms',
    async (name, { summary, positionals = [], options = {}, isEndless }) => {
      const words = name.split(' ')
      const { code, output } = await runInTest({}, 'help', ...words)
      expect(code).toBe(0)
      expect((await runInTest({}, ...words, '--help')).output).toBe(output)
      expect(output).toContain(`Usage: dala ${name}`)
      const sentences = [...positionals, ...Object.values(options)].map(({ description }) => description)
      for (const sentence of [summary, ...sentences, 'Exit codes:']) expect(output).toContain(sentence)
      expect(output.includes('--json')).toBe(isEndless !== true)
    },
  )

  test('explains all commands of a group by their first word', async () => {
    const { output } = await runInTest({}, 'help', 'user')
    for (const name of ['user list', 'user add', 'user password']) expect(output).toContain(`Usage: dala ${name}`)
    expect(output).not.toContain('dala seed')
  })

  test('prints the version', async () => {
    expect(await runInTest({}, '--version')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^dala \d/) as string,
    })
  })
})

describe('wrong use', () => {
  test.each([
    ['an unknown command', ['frobnicate'], 'There is no command frobnicate'],
    ['an unknown command in help', ['help', 'frobnicate'], 'There is no command frobnicate'],
    ['an unknown command of a group', ['verify', 'moon'], 'dala verify has the commands audit, backup.'],
    ['a group without a command', ['user'], 'Name a command of dala user: list, add, password.'],
    ['an option before the command', ['--plan', 'migrate'], 'Name a command before --plan'],
    ['an unknown option', ['migrate', '--force'], 'dala migrate has no option --force'],
    ['an option of another command', ['start', '--json'], 'dala start has no option --json'],
    ['a name of every object as an option', ['migrate', '--constructor'], 'dala migrate has no option --constructor'],
    ['an option without its value', ['verify', 'audit', '--head', '--json'], '--head needs a value: --head <hash>.'],
    ['an empty value', ['verify', 'audit', '--head='], '--head needs a value'],
    ['a value for a switch', ['migrate', '--plan=yes'], 'The option --plan takes no value.'],
    ['a missing argument', ['restore'], 'The <backup> is missing: dala restore <backup> [--overwrite] [--json].'],
    ['too many arguments', ['backup', 'one', 'two'], 'The argument two is too many: dala backup [folder] [--json].'],
    ['a missing option', ['user', 'add', '--email', 'a@example.org'], 'The option --name is missing: dala user add'],
    ['an unknown role', ['user', 'add', '--email=a@b.org', '--name=A', '--role=public'], 'There is no role public'],
    ['a limit out of range', ['user', 'list', '--limit', '1001'], 'from 1 to 1000'],
    [
      'a hash of another form',
      ['verify', 'audit', '--head', 'abc'],
      'The --head must be a hash of 64 hexadecimal digits.',
    ],
  ])('refuses %s in one sentence with code 2', async (_kind, argv, sentence) => {
    const { code, output, errors } = await runInTest({}, ...argv)
    expect(code).toBe(2)
    expect(errors).toContain(sentence)
    expect(errors.trimEnd()).toMatch(/^[^\n]+[.]$/)
    expect(output.startsWith('{') ? JSON.parse(output) : {}).toEqual(
      argv.includes('--json') ? { error: { message: errors.trimEnd() } } : {},
    )
  })

  test('ends with code 1 for a wrong setting, as one document with --json', async () => {
    const { code, errors, readDocument } = await runInTest({ PORT: 'x' }, 'migrate', '--json')
    expect(code).toBe(1)
    expect(readDocument()).toEqual({ error: { message: 'The setting PORT must be a port number from 0 to 65535.' } })
    expect(errors).toBe('The setting PORT must be a port number from 0 to 65535.\n')
  })
})

test('reads options before and after positionals', () => {
  const request = readRequest(commands, ['restore', '--overwrite', '/mnt/monday', '--json'])
  expect(request).toMatchObject({
    kind: 'run',
    command: { name: 'restore' },
    input: { positionals: ['/mnt/monday'], options: { overwrite: true, json: true } },
  })
})
