import { describe, expect, it } from 'vitest'
import kaaHelp from '../../labels/help/kaa.json' with { type: 'json' }
import uzHelp from '../../labels/help/uz.json' with { type: 'json' }
import kaa from '../../labels/kaa.json' with { type: 'json' }
import uz from '../../labels/uz.json' with { type: 'json' }
import { toCyrillic, toLatin } from './convert.ts'
import { smallWord } from './orthography.ts'
import { protectedPattern, wordPattern } from './protected.ts'
import type { ScriptLocale } from './scripts.ts'

const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

/** The different words of the catalogue and of the help, in small letters and without placeholders and codes. */
function wordsOf(...catalogues: readonly unknown[]): string[] {
  const words = catalogues.flatMap(textsOf).flatMap((text) => {
    const literalText = text
      .replaceAll(/\{\w+, plural,/g, ' ')
      .replaceAll(/\b(?:one|other) (?=\{)/g, ' ')
      .replaceAll(protectedPattern, ' ')
    return literalText.match(wordPattern) ?? []
  })
  return [...new Set(words.filter((word) => /^[^\p{Script=Cyrillic}]+$/u.test(word)).map(smallWord))]
}

/** Words that are not equal after both conversions, or stay in Latin letters. Each has its reason in docs/spec/scripts.md. */
const lists: readonly (readonly [locale: ScriptLocale, words: string[], exceptions: string[]])[] = [
  ['uz', wordsOf(uz, uzHelp), []],
  ['kaa', wordsOf(kaa, kaaHelp), ['oʼzbekcha']],
]

describe.each(lists)('the words of the catalogue in %s', (locale, words, exceptions) => {
  it('are more than two thousand', () => {
    expect(words.length).toBeGreaterThan(2_000)
  })
  it('are equal after Latin, Cyrillic and Latin, but for the listed ones', () => {
    const unequal = words.filter((word) => {
      const cyrillic = toCyrillic(word, locale)
      return /\p{Script=Latin}/u.test(cyrillic) || smallWord(toLatin(cyrillic, locale)) !== word
    })
    expect(unequal).toEqual(exceptions)
  })
  it('are equal after Cyrillic, Latin and Cyrillic', () => {
    const cyrillicWords = words.map((word) => toCyrillic(word, locale))
    expect(cyrillicWords.filter((word) => toCyrillic(toLatin(word, locale), locale) !== word)).toEqual([])
  })
})

/**
 * Loans in their Cyrillic spelling that become another Cyrillic word on the way back, because Latin does not
 * write the difference: [word, word after Latin and Cyrillic].
 */
const lostSpellings: Readonly<Record<ScriptLocale, readonly (readonly [before: string, after: string])[]>> = {
  uz: [
    ['мэр', 'мер'],
    ['борщ', 'борш'],
    ['ансамбль', 'ансамбл'],
    ['йод', 'ёд'],
  ],
  kaa: [
    ['мэр', 'мер'],
    ['борщ', 'борш'],
    ['подъезд', 'подйезд'],
  ],
}

/** Loans in their Cyrillic spelling that are equal after Latin and Cyrillic. */
const storedSpellings: Readonly<Record<ScriptLocale, string>> = {
  uz: `январь февраль апрель июнь июль сентябрь октябрь ноябрь декабрь роль пароль панель модель профиль фильтр
    калькулятор компьютер бюллетень альбом альтернатив асфальт автомобиль дизель кабель кальций картофель
    консультация контроль культиватор культура лагерь мебель медаль модуль никель ноль пульт рельеф рубль
    сельдерей стиль тюльпан фестиваль фильм эмульсия пиксель объект субъект съезд интервью премьера карьера
    цемент центнер цех цирк цитрус цикл концерт концепция акция акциз вакцина энциклопедия порция функция
    станция инстанция конференция конституция миграция навигация модерация лицензия пенсия версия комиссия
    процессор процент лицей офицер рецепт рацион гербицид инсектицид район майонез поезд аэропорт поэма
    экран экспорт элемент электрон гигиена клиент бюджет меню валюта плёнка актёр режиссёр галерея идея`,
  kaa: `январь февраль апрель июнь июль сентябрь октябрь ноябрь декабрь роль пароль панель модель профиль
    фильтр калькулятор календарь компьютер бюллетень альбом альтернатив автомобиль акварель алкоголь альманах
    ансамбль дизель кабель кальций картофель консультация контроль культура культивация мебель медаль модуль
    рубль стиль фестиваль фильм пиксель объект субъект интервью дүнья сырдәрья экран экспорт эксперт
    электрон элемент экономика экология энергия энциклопедия этап эфир аэропорт поэма район абзац авиация
    агитация акция акация абстракция аннотация администрация процент концерт цемент центр цирк рацион
    инсектицид клиент бюджет меню валюта плёнка актёр галерея авария аксиома академик аккумулятор`,
}

describe.each(['uz', 'kaa'] as const)('loans in the Cyrillic of %s', (locale) => {
  it('are equal after Latin and Cyrillic', () => {
    const words = storedSpellings[locale].trim().split(/\s+/)
    expect(words.map((word) => toCyrillic(toLatin(word, locale), locale))).toEqual(words)
  })
  it.each(lostSpellings[locale])('lose what Latin does not write: %s becomes %s', (before, after) => {
    expect(toCyrillic(toLatin(before, locale), locale)).toBe(after)
  })
})
