import { describe, expect, it } from 'vitest'
import type { SystemChanges } from '@dala/model'
import { startResourceApp } from '../../testing/resource-app.ts'
import { changesOf } from './changelog.ts'

const changelog = `# Changelog

## [Unreleased]

### Added

- A **bold** entry with \`code\` and a [link](docs/a.md).

## [1.2.0] - 2026-03-01

### Added

- First.
- Second.

### Fixed

- A fault.

### Gossip

- Not a kind.

## [1.1.0] - 2026-01-01

### Added

- Old.
`

describe('changesOf', () => {
  it('finds the entries of a version with its day, by kind', () => {
    expect(changesOf(changelog, '1.2.0')).toEqual({
      version: '1.2.0',
      day: '2026-03-01',
      sections: [
        { kind: 'added', entries: ['First.', 'Second.'] },
        { kind: 'fixed', entries: ['A fault.'] },
      ],
    })
  })

  it('finds the unreleased entries for a version without a heading, without the marks of Markdown', () => {
    expect(changesOf(changelog, '9.9.9')).toEqual({
      version: null,
      day: null,
      sections: [{ kind: 'added', entries: ['A bold entry with code and a link.'] }],
    })
  })

  it('is bounded, and finds nothing in another text', () => {
    const long = `## [Unreleased]\n### Added\n${`- ${'long '.repeat(2_000)}\n`.repeat(500)}`
    const [section] = changesOf(long, '1').sections
    expect(section?.entries).toHaveLength(300)
    expect(section?.entries[0]?.length).toBeLessThanOrEqual(2_001)
    expect(changesOf('no changelog', '1')).toEqual({ version: null, day: null, sections: [] })
  })
})

describe('GET /api/system/changes', () => {
  const resourceApp = startResourceApp()

  it.each([
    ['super-admin', 403],
    ['admin', 403],
    ['authenticated', 403],
    ['public', 401],
  ] as const)('refuses the role %s', async (role, refusal) => {
    expect((await resourceApp.ask('GET', '/system/changes', undefined, role)).status).toBe(refusal)
  })

  it('answers an owner with the changes of the running program', async () => {
    const { status, body } = await resourceApp.ask('GET', '/system/changes', undefined, 'owner')
    const { data } = body as { data: SystemChanges }
    expect(status).toBe(200)
    expect(data.sections.map(({ kind }) => kind)).toContain('added')
  })
})
