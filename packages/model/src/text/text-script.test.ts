import { describe, expect, it } from 'vitest'
import { otherScriptOf, scriptLocaleOf, scriptOfText } from './text-script.ts'

describe('the script of a text', () => {
  it.each([
    ['Paxta bor', 'latin'],
    ['Пахта бор, PDF', 'cyrillic'],
    ['12.03, 400 000', undefined],
    ['', undefined],
  ] as const)('finds in %o: %s', (text, script) => {
    expect(scriptOfText(text)).toBe(script)
  })
})

describe('the language of a text with two scripts', () => {
  it.each([
    ['paxta bor', 'uz', 'uz'],
    ['paxta bar', 'kaa', 'kaa'],
    ['Gúzgi egin', undefined, 'kaa'],
    ['Qaraqalpaq tilı', 'ru', 'kaa'],
    ['Күзги егин', null, 'kaa'],
    ['Ўзбекистон тонг', undefined, 'uz'],
    ['Қытай ғәўхар', undefined, 'kaa'],
    ['Қыс', undefined, 'kaa'],
    ['Қиш', undefined, 'uz'],
    ["G'o'za qachon ekiladi", 'en', 'uz'],
    ['Oʻzbekiston', undefined, 'uz'],
    ['Когда сеять хлопок? Высокая цена', 'ru', undefined],
    ['When to sow', undefined, undefined],
    ['Ўзбекистон тонг'.normalize('NFD'), undefined, 'uz'],
    ['Gúzgi egin'.normalize('NFD'), undefined, 'kaa'],
  ] as const)('finds for %o with the known language %s: %s', (text, known, locale) => {
    expect(scriptLocaleOf(text, known)).toBe(locale)
  })
})

describe('a text in its other script', () => {
  it('converts to the script that the text does not have', () => {
    expect(otherScriptOf('Gúzgi egin', 'kaa')).toEqual({ text: 'Гүзги егин', locale: 'kaa', script: 'cyrillic' })
    expect(otherScriptOf('Ғўза', 'ru')).toEqual({ text: 'Gʻoʻza', locale: 'uz', script: 'latin' })
  })

  it('is absent for an unknown language, and where nothing would change', () => {
    expect(otherScriptOf('When to sow', 'en')).toBeUndefined()
    expect(otherScriptOf('PDF', 'uz')).toBeUndefined()
    expect(otherScriptOf('400 000', 'uz')).toBeUndefined()
  })
})
