import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readStartFlags, startFlags } from '../lib/start-flags.ts'
import { bundledNode, launcherText } from './launcher.ts'
import { commandEntry } from './released-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'dala-launcher-'))
const root = join(folder, 'dala 1')
afterAll(() => rmSync(folder, { recursive: true }))

function writeProgram(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, 0o755)
}

it('starts the bundled Node with the flags of npm start, through a link and from a path with a space', () => {
  writeProgram(join(root, 'bin/dala'), launcherText(startFlags))
  writeProgram(join(root, bundledNode), '#!/bin/sh\nprintf "%s\\n" "$NODE_ENV" "$@"\n')
  symlinkSync(join(root, 'bin/dala'), join(folder, 'dala'))
  const env = { PATH: process.env['PATH'] ?? '' }
  const lines = execFileSync(join(folder, 'dala'), ['backup', 'a b'], { env, encoding: 'utf8' }).trimEnd().split('\n')
  expect(lines).toEqual([
    'production',
    ...startFlags.flags,
    ...startFlags.modules.flatMap((file) => ['--import', join(root, file)]),
    join(root, commandEntry),
    'backup',
    'a b',
  ])
})

it('changes with the flags', () => {
  expect(launcherText(readStartFlags('node --expose-gc main.ts'))).not.toContain('--import')
})
