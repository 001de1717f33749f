/** Groups and orders the results of the palette for the typed text. */
import { searchKeyOf, type Locale } from '@dala/model'

const groupNames = ['recent', 'screens', 'records', 'page', 'create', 'views', 'look', 'account', 'rest'] as const
type GroupName = (typeof groupNames)[number]

export interface PaletteEntry {
  /** Id of a palette entry, which never changes, so that recent choices can be stored. */
  id: string
  group: Exclude<GroupName, 'recent' | 'rest'>
  label: string
  /** Language of the palette entry's label, if it differs from the user's language. */
  lang?: Locale | undefined
  /** Kind or location of the palette entry. */
  note?: string | undefined
  /** Keys of the shortcut that does the same as the palette entry. */
  keys?: readonly string[] | undefined
  run: () => void
}

export interface PaletteGroup {
  value: GroupName
  items: PaletteEntry[]
}

/** Returns a text with normalised letters; the parts of a compound are words too. */
const normalize = (text: string) =>
  searchKeyOf(text)
    .replaceAll(/[-–—:/]/g, ' ')
    .trim()

type NameMatch = 'begins' | 'word' | 'inside' | undefined

/** Rates how well a palette entry matches the typed text. */
export function matchOf({ label, note = '' }: Pick<PaletteEntry, 'label' | 'note'>, typed: string): NameMatch {
  const text = normalize(typed)
  const name = normalize(label)
  if (name.startsWith(text)) return 'begins'
  const searchable = ` ${name} ${normalize(note)}`
  if (text.split(/\s+/).every((part) => searchable.includes(` ${part}`))) return 'word'
  return name.includes(text) ? 'inside' : undefined
}

const groupOf = (name: GroupName, items: PaletteEntry[]): PaletteGroup[] =>
  items.length > 0 ? [{ value: name, items }] : []

/**
 * Arranges the results of the command palette. Without a text recent choices come first, then everything.
 * With one, entries that start with it or have a word that does, screens before records; other matches come
 * last.
 *
 * @param entries - All possible choices.
 * @param records - Records that were found, best first.
 * @param recent - Recent choices, latest first.
 * @param typed - The typed text.
 * @returns Groups in order.
 */
export function groupEntries(
  entries: readonly PaletteEntry[],
  records: readonly PaletteEntry[],
  recent: readonly PaletteEntry[],
  typed: string,
): PaletteGroup[] {
  const inGroups = (entries: readonly PaletteEntry[]) =>
    groupNames.flatMap((name) =>
      groupOf(
        name,
        entries.filter(({ group }) => group === name),
      ),
    )
  if (normalize(typed) === '') {
    const ids = new Set(recent.map(({ id }) => id))
    return [...groupOf('recent', [...recent]), ...inGroups(entries.filter(({ id }) => !ids.has(id)))]
  }
  const matched = entries.map((entry) => [entry, matchOf(entry, typed)] as const)
  const withMatch = (wantedMatch: NameMatch) =>
    matched.filter(([, match]) => match === wantedMatch).map(([entry]) => entry)
  return [
    ...inGroups([...withMatch('begins'), ...withMatch('word'), ...records]),
    ...groupOf('rest', withMatch('inside')),
  ]
}
