/** Reads what is new in the running version from the changelog, which releases contain. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { SystemChanges } from '@dala/model'
import { systemChangeKinds } from '@dala/model/api/system'
import { programVersion } from '../../db/backups/manifest.ts'
import { codeOf } from '../../db/open-data.ts'

type Section = SystemChanges['sections'][number]

const changelogFile = join(import.meta.dirname, '../../../../../CHANGELOG.md')
const mostBytes = 524_288
const mostEntries = 300
const mostSigns = 2_000

/** The text of an entry without the marks of Markdown. */
function plainText(markdown: string): string {
  const text = markdown
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/`|\*\*/g, '')
    .trim()
  return text.length > mostSigns ? `${text.slice(0, mostSigns)}…` : text
}

/** The kind of a section; undefined for a heading that Keep a Changelog does not have. */
const kindOf = (heading: string): Section['kind'] | undefined =>
  systemChangeKinds.find((kind) => kind === heading.toLowerCase())

/** Reads the sections of one version, at most 300 entries. */
function sectionsOf(text: string): Section[] {
  const sections: Section[] = []
  let [kind, count]: [Section['kind'] | undefined, number] = [undefined, 0]
  for (const line of text.split('\n')) {
    const [, heading] = /^### (\w+)/.exec(line) ?? []
    if (heading !== undefined) kind = kindOf(heading)
    const [, entry] = /^- (.+)/.exec(line) ?? []
    if (entry === undefined || kind === undefined || count === mostEntries) continue
    count += 1
    const section = sections.find((known) => known.kind === kind)
    if (section) section.entries.push(plainText(entry))
    else sections.push({ kind, entries: [plainText(entry)] })
  }
  return sections
}

/**
 * Finds the entries of a version in a changelog in the format of Keep a Changelog.
 *
 * @param text - The changelog.
 * @param version - The version; the unreleased changes when the changelog does not have it.
 * @returns The entries by kind, without the marks of Markdown.
 */
export function changesOf(text: string, version: string): SystemChanges {
  const parts = text.split(/^## /m).slice(1)
  const headed = (name: string) => parts.find((part) => part.startsWith(`[${name}]`))
  const released = headed(version)
  const [, day = null] = /^\[[^\]]+\] - (\d{4}-\d\d-\d\d)/.exec(released ?? '') ?? []
  return {
    version: released === undefined ? null : version,
    day,
    sections: sectionsOf(released ?? headed('Unreleased') ?? ''),
  }
}

/** Reads the beginning of the changelog; empty when there is none. */
async function readChangelog(): Promise<string> {
  try {
    const file = await open(changelogFile, 'r')
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  }
}

/** Makes the reader of the changes of the running version, which reads the changelog once. */
export function changesReader(): () => Promise<SystemChanges> {
  let changes: Promise<SystemChanges> | undefined
  return () => {
    changes ??= readChangelog().then((text) => changesOf(text, programVersion()))
    changes.catch(() => (changes = undefined))
    return changes
  }
}
