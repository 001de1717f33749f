/**
 * Endings of Karakalpak and Uzbek words that a machine can decide. A Karakalpak ending follows the last vowel
 * of its stem, and its first consonant follows the last sound. An Uzbek ending is always the same, except the
 * dative after k and q.
 *
 * @see languages §1
 */
import { type Harmony, knownStems, neutralEndings } from './exceptions.ts'

const backVowels = 'aouı'
const frontVowels = 'áeióú'
/** Consonants without voice; the last letter of sh and ch is h. */
const voiceless = 'ptkqsxfhc'

/** Endings of nouns and verbs, back and front. */
const endingPairs: readonly (readonly [string, string])[] = [
  ['lar', 'ler'],
  ['ǵa', 'ge'],
  ['qa', 'ke'],
  ['na', 'ne'],
  ['dan', 'den'],
  ['tan', 'ten'],
  ['nan', 'nen'],
  ['da', 'de'],
  ['ta', 'te'],
  ['daǵı', 'degi'],
  ['taǵı', 'tegi'],
  ['nıń', 'niń'],
  ['dıń', 'diń'],
  ['tıń', 'tiń'],
  ['nı', 'ni'],
  ['dı', 'di'],
  ['tı', 'ti'],
  ['lıq', 'lik'],
  ['lı', 'li'],
  ['sız', 'siz'],
  ['shı', 'shi'],
  ['sı', 'si'],
  ['ın', 'in'],
  ['ıń', 'iń'],
  ['ı', 'i'],
  ['ǵan', 'gen'],
  ['qan', 'ken'],
  ['sın', 'sin'],
]
const harmonies = new Map<string, Harmony>(
  endingPairs.flatMap(([back, front]): [string, Harmony][] => [
    [back, 'back'],
    [front, 'front'],
  ]),
)
const longestFirst = [...harmonies.keys()].sort((left, right) => right.length - left.length)

/** Endings whose first sound has a voice, so that they never follow a sound without one. */
const voicedEndings = new Set('ǵa ge da de dan den nıń niń dıń diń nı ni dı di ǵan gen'.split(' '))

/** Endings of Karakalpak cases and of the plural, as they would stand apart behind a word that is not known. */
export const karakalpakEndings = endingPairs
  .flat()
  .filter((ending) =>
    /^(?:l[ae]r|[ǵq]a|[gk]e|[dtn][ae]n|[dt][ae]|[ndt][ıi]ń|[ndt][ıi]|[dt][ae]ǵı|[dt]egi)$/u.test(ending),
  )

/** Endings of Uzbek nouns. The counting word ta, and its forms, are words of their own. */
export const uzbekEndings = 'ning ni ga ka qa da dan dagi gacha kacha qacha lar lari lik niki dek si i'.split(' ')

/**
 * Writes a word in small letters. The capital of ı is Í, but a word may also begin with I, the capital of i,
 * which stays a capital because it decides nothing.
 */
const inSmallLetters = (word: string): string => {
  const small = word.replaceAll('Í', 'ı').toLowerCase()
  return word.startsWith('I') ? `I${small.slice(1)}` : small
}

const knownStemOf = (word: string) =>
  knownStems
    .filter(({ stem }) => word.toLowerCase().startsWith(stem))
    .reduce<(typeof knownStems)[number] | undefined>(
      (longest, known) => (longest && longest.stem.length >= known.stem.length ? longest : known),
      undefined,
    )

/** Returns whether the endings of a stem are back or front; undefined for a stem without a vowel. */
function harmonyOf(stem: string): Harmony | undefined {
  const lastVowel = [...stem].findLast((letter) => backVowels.includes(letter) || frontVowels.includes(letter))
  if (lastVowel === undefined) return undefined
  return backVowels.includes(lastVowel) ? 'back' : 'front'
}

/**
 * Finds an ending of a Karakalpak word that disagrees with its stem.
 *
 * @param word - A word in any case of letters.
 * @returns Stem and ending, as `rol-lar`; undefined for a word whose endings agree or that has none.
 * @example
 * findDiscord('Rollarda') // 'rol-lar'
 */
export function findDiscord(word: string): string | undefined {
  let rest = inSmallLetters(word)
  const known = knownStemOf(rest)
  const shortest = known?.stem.length ?? 1
  for (;;) {
    const neutral = neutralEndings.find((ending) => rest.endsWith(ending) && rest.length - ending.length >= shortest)
    if (neutral !== undefined) rest = rest.slice(0, -neutral.length)
    const stemEnd = (ending: string) => rest.slice(0, -ending.length)
    const ending = longestFirst.find(
      (candidate) =>
        rest.endsWith(candidate) &&
        stemEnd(candidate).length >= shortest &&
        harmonyOf(stemEnd(candidate)) !== undefined,
    )
    if (ending === undefined) return undefined
    const stem = stemEnd(ending)
    const needed = stem.length === known?.stem.length && known.harmony ? known.harmony : harmonyOf(stem)
    const isVoicedAfterVoiceless = voicedEndings.has(ending) && voiceless.includes(stem.at(-1) ?? '')
    if (needed !== harmonies.get(ending) || isVoicedAfterVoiceless) return `${stem}-${ending}`
    rest = stem
  }
}

/**
 * Finds the dative of an Uzbek word that is not written as it sounds: `-ga` after k or q.
 *
 * @returns Stem and ending; undefined for other words.
 */
export function findUzbekDiscord(word: string): string | undefined {
  const [, stem, ending] = /^(.*[aeiou].*[kq])(ga(?:cha|n)?)$/u.exec(inSmallLetters(word).replaceAll('ʻ', '')) ?? []
  return stem === undefined || ending === undefined ? undefined : `${stem}-${ending}`
}
