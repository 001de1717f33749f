/** Alphabets of the languages that browsers cannot sort: letters in order, lower and upper case together. */

/**
 * Letters of Karakalpak in the alphabet of 2016: Í is the capital of ı, and Sh and Ch are separate letters.
 */
const karakalpak =
  'aA áÁ bB dD eE fF gG ǵǴ hH xX ıÍ iI jJ kK qQ lL mM nN ńŃ oO óÓ pP rR sS tT uU úÚ vV wW yY zZ sh/Sh/SH/sH cC ch/Ch/CH/cH'

/** Letters of Uzbek: Oʻ, Gʻ, Sh and Ch are separate letters; c and w occur only in foreign names. */
const uzbek =
  'aA bB cC dD eE fF gG hH iI jJ kK lL mM nN oO pP qQ rR sS tT uU vV wW xX yY zZ ' +
  'oʻ/Oʻ gʻ/Gʻ sh/Sh/SH/sH ch/Ch/CH/cH'

/** Letters of Karakalpak in Cyrillic, sorted after Latin ones, and those of Russian in their places. */
const karakalpakCyrillic =
  'аА әӘ бБ вВ гГ ғҒ дД еЕ ёЁ жЖ зЗ иИ йЙ кК қҚ лЛ мМ нН ңҢ оО өӨ пП рР сС тТ уУ үҮ ўЎ фФ хХ ҳҲ цЦ чЧ шШ щЩ ъЪ ыЫ ьЬ эЭ юЮ яЯ'

/** Letters of Uzbek in Cyrillic, whose own letters are the last of the alphabet. */
const uzbekCyrillic =
  'аА бБ вВ гГ дД еЕ ёЁ жЖ зЗ иИ йЙ кК лЛ мМ нН оО пП рР сС тТ уУ фФ хХ цЦ чЧ шШ щЩ ъЪ ыЫ ьЬ эЭ юЮ яЯ ' +
  'ўЎ қҚ ғҒ ҳҲ әӘ ңҢ өӨ үҮ'

function toWeights(letters: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  letters.split(' ').forEach((group, groupIndex) => {
    for (const form of group.includes('/') ? group.split('/') : group) weights.set(form, groupIndex + 1)
  })
  return weights
}

const weightsOf = {
  kaa: toWeights(`${karakalpak} ${karakalpakCyrillic}`),
  uz: toWeights(`${uzbek} ${uzbekCyrillic}`),
} as const

/** Apostrophes that users type in place of the Uzbek turned comma. */
const apostrophes = /['‘’`ʼ]/g

const digits = '0123456789'

/**
 * Weights of a text's characters for sorting: punctuation first, then digits, then letters in the order of
 * the alphabet.
 */
function toSortKey(text: string, weights: ReadonlyMap<string, number>): number[] {
  const letters = Array.from(text.normalize('NFC').replace(apostrophes, 'ʻ'))
  const key: number[] = []
  for (let index = 0; index < letters.length; index += 1) {
    const letter = letters[index] ?? ''
    const letterPair = weights.get(letter + (letters[index + 1] ?? ''))
    const singleWeight = weights.get(letter)
    const digit = digits.indexOf(letter)
    if (letterPair !== undefined) {
      key.push(1000 + letterPair)
      index += 1
    } else if (singleWeight !== undefined) key.push(1000 + singleWeight)
    else if (digit >= 0) key.push(100 + digit)
    else key.push(letter === ' ' ? 0 : 10_000 + (letter.codePointAt(0) ?? 0))
  }
  return key
}

/** Compares two texts by the alphabet of Karakalpak or Uzbek, without the runtime's collation. */
export function compareByAlphabet(locale: 'kaa' | 'uz', left: string, right: string): number {
  const a = toSortKey(left, weightsOf[locale])
  const b = toSortKey(right, weightsOf[locale])
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
