/** Karakalpak words whose endings a rule cannot decide, each with the reason. */

export type Harmony = 'back' | 'front'

interface KnownStem {
  /** Beginning of the word in small letters; endings are looked for after it only. */
  stem: string
  /** Endings that the stem takes; those of its last vowel when absent. */
  harmony?: Harmony
  reason: string
}

const softEnd = 'a loan whose end is soft: native texts hang front endings on it'
const loan = 'a loan whose last letters only look like an ending'
const placeName = 'a name of a place, which keeps its spelling'
const foreign = 'a name from another language'

/** Beginnings of words, of which the longest that fits decides. */
export const knownStems: readonly KnownStem[] = [
  { stem: 'rol', harmony: 'front', reason: softEnd },
  { stem: 'parol', harmony: 'front', reason: softEnd },
  { stem: 'menyu', harmony: 'front', reason: softEnd },
  { stem: 'nol', harmony: 'front', reason: softEnd },
  { stem: 'iyul', harmony: 'front', reason: softEnd },
  { stem: 'sentyabr', harmony: 'front', reason: softEnd },
  { stem: 'oktyabr', harmony: 'front', reason: softEnd },
  { stem: 'noyabr', harmony: 'front', reason: softEnd },
  { stem: 'dekabr', harmony: 'front', reason: softEnd },
  { stem: 'bank', harmony: 'front', reason: 'as in Kazakh; a question for a native reader' },
  { stem: 'punkt', harmony: 'front', reason: 'as in Kazakh; a question for a native reader' },
  { stem: 'cifr', harmony: 'back', reason: 'native texts write cifrlı' },
  { stem: 'tariyx', harmony: 'back', reason: 'the first vowel decides, and iy is one sound' },
  { stem: 'diyqan', reason: 'an old loan whose qan is no ending' },
  { stem: 'anketa', reason: loan },
  { stem: 'citata', reason: loan },
  { stem: 'gigiena', reason: loan },
  { stem: 'kabinet', reason: loan },
  { stem: 'kleykovina', reason: loan },
  { stem: 'koordinata', reason: loan },
  { stem: 'lenta', reason: loan },
  { stem: 'mashina', reason: loan },
  { stem: 'mexanik', reason: loan },
  { stem: 'panel', reason: loan },
  { stem: 'profil', reason: loan },
  { stem: 'protein', reason: loan },
  { stem: 'rubin', reason: loan },
  { stem: 'smeta', reason: loan },
  { stem: 'vakcina', reason: loan },
  { stem: 'ferǵana', reason: placeName },
  { stem: 'gulistan', reason: placeName },
  { stem: 'kasbi', reason: placeName },
  { stem: 'rishtan', reason: placeName },
  { stem: 'romitan', reason: placeName },
  { stem: 'zamin', reason: placeName },
  { stem: 'ózbekstan', reason: placeName },
  { stem: 'date', reason: foreign },
  { stem: 'iphone', reason: foreign },
  { stem: 'migrate', reason: foreign },
  { stem: 'node', reason: foreign },
]

/** Endings that are the same after every stem. */
export const neutralEndings = ['ki'] as const
