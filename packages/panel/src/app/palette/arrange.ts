/** Groups and orders the results of the palette for the typed text. */
import { searchKeyOf, type WrittenLocale } from '@dala/model'

const groupNames = ['recent', 'screens', 'records', 'page', 'create', 'views', 'look', 'account', 'rest'] as const
type GroupName = (typeof groupNames)[number]

export interface PaletteEntry {
  /** Id of a palette entry, which never changes, so that recent choices can be stored. */
  id: string
  group: Exclude<GroupName, 'recent' | 'rest'>
  label: string
  /** Language of the palette entry's label, if it differs from the user's language. */
  lang?: WrittenLocale | undefined
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
export function matchOf({ label, note = '' }: Pick<PaletteEntry, 'label' | 'note'>, typedText: string): NameMatch {
  const text = normalize(typedText)
  const name = normalize(label)
  if (name.startsWith(text)) return 'begins'
  const searchableText = ` ${name} ${normalize(note)}`
  if (text.split(/\s+/).every((typedWord) => searchableText.includes(` ${typedWord}`))) return 'word'
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
 * @param recentEntries - Recent choices, latest first.
 * @param typedText - The typed text.
 * @returns Groups in order.
 */
export function groupEntries(
  entries: readonly PaletteEntry[],
  records: readonly PaletteEntry[],
  recentEntries: readonly PaletteEntry[],
  typedText: string,
): PaletteGroup[] {
  const arrangeGroups = (entries: readonly PaletteEntry[]) =>
    groupNames.flatMap((name) =>
      groupOf(
        name,
        entries.filter(({ group }) => group === name),
      ),
    )
  if (normalize(typedText) === '') {
    const ids = new Set(recentEntries.map(({ id }) => id))
    return [...groupOf('recent', [...recentEntries]), ...arrangeGroups(entries.filter(({ id }) => !ids.has(id)))]
  }
  const matchedEntries = entries.map((entry) => [entry, matchOf(entry, typedText)] as const)
  const filterByMatch = (wantedMatch: NameMatch) =>
    matchedEntries.filter(([, match]) => match === wantedMatch).map(([entry]) => entry)
  return [
    ...arrangeGroups([...filterByMatch('begins'), ...filterByMatch('word'), ...records]),
    ...groupOf('rest', filterByMatch('inside')),
  ]
}
