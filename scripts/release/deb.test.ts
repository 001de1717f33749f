import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settingLines } from '../../packages/server/src/settings.ts'
import { repositoryRoot } from '../lib/processes.ts'
import { debianArchitecture, defaultSettings } from './deb.ts'

describe('defaultSettings', () => {
  it('explains every setting and sets none', () => {
    const lines = defaultSettings(settingLines).split('\n')
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
    expect(lines.flatMap((line) => /^#([A-Z0-9_]+)='/u.exec(line)?.[1] ?? [])).toEqual(
      settingLines.map(({ name }) => name),
    )
  })

  it('shows the values of the service where they differ from those of the program', () => {
    const text = defaultSettings(settingLines)
    const unit = readFileSync(join(repositoryRoot, 'deploy/debian/dala.service'), 'utf8')
    for (const [name, value] of [
      ['NODE_ENV', 'production'],
      ['DATA_DIR', '/var/lib/dala'],
    ]) {
      expect(text).toContain(`\n#${name}='${value}'\n`)
      expect(unit).toContain(`\nEnvironment=${name}=${value}\n`)
    }
  })
})

describe('debianArchitecture', () => {
  it('refuses a processor without a package', () => {
    expect(debianArchitecture('x64')).toBe('amd64')
    expect(() => debianArchitecture('s390x')).toThrow('No Debian package is made for s390x.')
  })
})
