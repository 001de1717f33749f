/** Reads the texts that readers see in Karakalpak, Uzbek and Russian, each with its file and key. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, type Token } from '@messageformat/parser'
import type { Locale } from '../../../packages/model/src/index.ts'
import { repositoryRoot } from '../../lib/processes.ts'
import { listFiles } from '../../lib/repository.ts'

/** Replacement of each placeholder, name of a control and command in a text. */
export const filledIn = '\uFFFC'

const checkedLocales = ['kaa', 'uz', 'ru'] as const
export type CheckedLocale = (typeof checkedLocales)[number]

export interface SpelledText {
  /** Path from the root of the repository. */
  file: string
  /** Key of the message, line of the page, or path to the value. */
  key: string
  locale: CheckedLocale
  /** The text without markup; `filledIn` replaces each placeholder. */
  text: string
  /** Whether the text belongs to the product itself; demonstration data speaks of other things too. */
  isInterface: boolean
}

const isCheckedLocale = (name: string): name is CheckedLocale => (checkedLocales as readonly string[]).includes(name)

/** Joins each text with each continuation. */
const combine = (starts: readonly string[], ends: readonly string[]) =>
  starts.flatMap((start) => ends.map((end) => start + end))

/** Writes out the branches of parsed messages; a branch ends like a placeholder, because its word is not known. */
function writeOut(tokens: readonly Token[]): string[] {
  let variants = ['']
  for (const token of tokens) {
    if (token.type === 'content') variants = combine(variants, [token.value])
    else if ('cases' in token) {
      variants = combine(
        variants,
        token.cases.flatMap(({ tokens: branch }) => writeOut(branch).map((text) => text + filledIn)),
      )
    } else variants = combine(variants, [filledIn])
  }
  return variants
}

/**
 * Returns the texts that a message can become.
 *
 * @param message - A message of a catalogue, in ICU MessageFormat.
 * @returns One text for each combination of branches, without repetitions.
 */
export const variantsOf = (message: string): string[] => [...new Set(writeOut(parse(message)))]

/** Removes tags, and replaces the placeholders of templates. */
const withoutTags = (text: string) => text.replaceAll(/\{\{[^}]*\}\}/gu, filledIn).replaceAll(/<[^>]*>/gu, ' ')

/** Replaces commands and names of controls in Markdown, and removes addresses and anchors. */
const withoutMarkdown = (text: string) =>
  withoutTags(text.replaceAll(/`[^`]*`/gu, filledIn))
    .replaceAll(/\]\([^)]*\)/gu, ' ')
    .replaceAll(/\{#[^}]*\}|[*#[\]!]/gu, ' ')

/** Collects the texts below a value of the demonstration data that are in a checked language. */
function* collectFrom(value: unknown, path: string, locale?: string): Generator<[string, CheckedLocale, string]> {
  if (typeof value === 'string') {
    if (locale === undefined || !isCheckedLocale(locale)) return
    // A record in one language also has keys, as `storage`, which are no text.
    const isKey = !path.endsWith(`.${locale}`) && /^[a-z\d-]+$/u.test(value)
    if (!isKey) yield [path, locale, withoutTags(value)]
    return
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* collectFrom(item, `${path}[${index}]`, locale)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const language = 'language' in value && typeof value.language === 'string' ? value.language : locale
  for (const [key, item] of Object.entries(value)) {
    const isText = key === 'en' || isCheckedLocale(key)
    yield* collectFrom(item, path === '' ? key : `${path}.${key}`, isText ? key : language)
  }
}

type Reader = (file: string, content: string) => SpelledText[]

/** Reader of the catalogue of one language. */
const readCatalogue =
  (locale: CheckedLocale): Reader =>
  (file, content) =>
    Object.entries(JSON.parse(content) as Record<string, string>)
      // Each language is named in its own language.
      .filter(([key]) => !key.startsWith('value.language.'))
      .flatMap(([key, message]) => variantsOf(message).map((text) => ({ file, key, locale, text, isInterface: true })))

/** Reader of help texts, which name controls by their keys in brackets. */
const readHelp =
  (locale: CheckedLocale): Reader =>
  (file, content) =>
    Object.entries(JSON.parse(content) as Record<string, string>).map(([key, text]) => ({
      file,
      key,
      locale,
      text: text.replaceAll(/\[[^\]]+\]/gu, filledIn),
      isInterface: true,
    }))

/** Reader of a page of the guide; the key of a text is its line. */
const readPage =
  (locale: CheckedLocale): Reader =>
  (file, content) =>
    content.split('\n').map((line, index) => ({
      file,
      key: `line ${index + 1}`,
      locale,
      text: withoutMarkdown(line),
      isInterface: true,
    }))

const readData: Reader = (file, content) =>
  [...collectFrom(JSON.parse(content), '')].map(([key, locale, text]) => ({
    file,
    key,
    locale,
    text,
    isInterface: false,
  }))

const textInCode = /(?<=^|[\s{,])(kaa|uz|ru): '((?:[^'\\]|\\.)*)'/gu

/** Reader of texts in the code of the demonstration data: `kaa: '…'`. */
const readCode: Reader = (file, content) =>
  content
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(textInCode)].flatMap(([, locale = '', text = '']): SpelledText[] =>
        isCheckedLocale(locale)
          ? [{ file, key: `line ${index + 1}`, locale, text: withoutTags(text), isInterface: false }]
          : [],
      ),
    )

const labels = 'packages/model/src/labels'
const seed = 'packages/server/src/seed/'

/** Returns the reader of a file; undefined for a file without texts in a checked language. */
function readerOf(file: string): Reader | undefined {
  for (const locale of checkedLocales satisfies readonly Locale[]) {
    if (file === `${labels}/${locale}.json`) return readCatalogue(locale)
    if (file === `${labels}/help/${locale}.json`) return readHelp(locale)
    if (file.startsWith(`docs/guide/${locale}/`)) return readPage(locale)
  }
  if (!file.startsWith(seed)) return undefined
  if (file.endsWith('.json')) return readData
  return file.endsWith('.ts') && !file.endsWith('.test.ts') ? readCode : undefined
}

/**
 * Reads the texts of one file.
 *
 * @param file - Path from the root of the repository; it decides how the file is read.
 * @param content - Its content.
 * @returns The texts in Karakalpak, Uzbek and Russian; none for a file of another kind.
 */
export const textsIn = (file: string, content: string): SpelledText[] => readerOf(file)?.(file, content) ?? []

/** Reads the texts of all files of the repository that have some. */
export async function readTexts(): Promise<SpelledText[]> {
  const files = (await listFiles()).filter((file) => readerOf(file) !== undefined)
  return files.flatMap((file) => textsIn(file, readFileSync(join(repositoryRoot, file), 'utf8')))
}
